// Sets or clears the broadcast address of a card, may change the first name of the deceased, and leaves its other fields as they
// are: Node 20 or newer, no packages.
//
//   SERVICE_URL=https://… TOKEN=pcs_test_… node change_card.mjs gid://service/Card/… https://video.example/afscheid [Johanna]
//
// `-` in the place of the address clears it.

const [id, address, firstName] = process.argv.slice(2);

/** The fields of a change: undefined leaves a field as it is, null clears it. JSON.stringify leaves out undefined, also inside. */
const input = {
  livestreamUrl: address === "-" ? null : address,
  themeId: undefined,
  deceased: firstName ? { firstName, lastName: undefined } : undefined,
  familyContact: undefined,
};

const query = `mutation($id: ID!, $input: CardUpdateInput!) {
  cardUpdate(id: $id, input: $input) { card { livestreamUrl } userErrors { field message code } }
}`;
const response = await fetch(`${process.env.SERVICE_URL}/partner/api/2026-10/graphql`, {
  method: "POST",
  headers: { "Content-Type": "application/json", "X-Service-Access-Token": process.env.TOKEN },
  body: JSON.stringify({ query, variables: { id, input } }),
});
const { data, errors } = await response.json();
if (errors) throw new Error(`${errors[0].extensions.code}: ${errors[0].message} ${errors[0].extensions.detail ?? ""}`);
const { card, userErrors } = data.cardUpdate;
if (userErrors.length > 0) throw new Error(userErrors.map((error) => error.message).join("\n"));
console.log(`broadcast ${card.livestreamUrl}`);
