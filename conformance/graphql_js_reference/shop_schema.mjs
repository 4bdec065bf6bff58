// Resolvers of the published schema for graphql-js; shop_schema/mod.rs has the same for the engine.

const fail = (what) => {
  throw new Error(what);
};

const gid = (kind, last) => `gid://service/${kind}/00000000-0000-0000-0000-${String(last).padStart(12, '0')}`;

const theme = {
  __typename: 'Theme',
  id: gid('Theme', 1),
  legacyResourceId: '42',
  title: 'Herfst',
  handle: 'herfst',
  description: 'Warme kleuren',
  images: [
    { url: 'https://cdn.test/1.jpg', altText: 'blad' },
    { url: 'https://cdn.test/2.jpg', altText: null },
  ],
  videos: [{ url: 'https://cdn.test/1.mp4' }],
  demoUrl: null,
};

// The theme of the card called "gone" cannot be fetched.
const card = (gone) => ({
  __typename: 'Card',
  id: gid('Card', 7),
  theme: async () => (gone ? fail('the theme is gone') : theme),
  externalDossierId: '2026-001234',
  externalFuneralDirectorId: 'UV-88',
  deceased: {
    firstName: 'Johanna',
    lastName: 'van den "Berg"',
    dateOfBirth: '1941-03-09',
    dateOfDeath: '2026-10-01',
    photoUrl: 'https://cdn.test/photo.jpg',
  },
  livestreamUrl: 'https://live.test/abc',
  familyContact: { name: 'Pieter van den Berg', email: 'pieter@example.test' },
  status: 'ACTIVE',
  cardUrl: 'https://cards.test/johanna',
  test: true,
  createdAt: '2026-10-02T08:15:30.123Z',
  updatedAt: '2026-10-03T09:16:31.456Z',
});

const subscription = (topic, callbackUrl) => ({
  __typename: 'WebhookSubscription',
  id: gid('WebhookSubscription', 9),
  topic,
  endpoint: { __typename: 'WebhookHttpEndpoint', callbackUrl },
  format: 'JSON',
  createdAt: '2026-10-02T08:15:30.123Z',
  updatedAt: '2026-10-03T09:16:31.456Z',
});

const page = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
const connection = (nodes) => ({ edges: nodes.map((node) => ({ cursor: 'c', node })), nodes, pageInfo: page });
const isWeb = (text) => /^https?:\/\/./.test(text) && URL.canParse(text);
const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
const error = (code, field) => ({ code, field, message: code });

// Carries an update out on a card; says what is wrong instead where something is.
function update(changed, input) {
  const wrong = [];
  if (input.livestreamUrl && !isWeb(input.livestreamUrl)) wrong.push(error('INVALID', ['input', 'livestreamUrl']));
  else if ('livestreamUrl' in input) changed.livestreamUrl = input.livestreamUrl;
  for (const name of ['firstName', 'lastName', 'dateOfBirth']) {
    if (!input.deceased || !(name in input.deceased)) continue;
    const given = input.deceased[name];
    if (name === 'dateOfBirth' && given !== null && !isDay(given)) wrong.push(error('INVALID', ['input', 'deceased', name]));
    else changed.deceased[name] = given;
  }
  return wrong.length > 0 ? { card: null, userErrors: wrong } : { card: changed, userErrors: [] };
}

export function root() {
  return {
    card: async ({ id }) => (id === 'boom' ? fail('boom') : id === 'none' ? null : card(id === 'gone')),
    node: async ({ id }) => ({ Card: card(false), Theme: theme })[id.split('/')[3]] ?? null,
    themes: async ({ first }) => (first < 0 ? fail('first is negative') : connection([theme])),
    theme: async ({ id }) => (id === '42' ? theme : null),
    webhookSubscriptions: async ({ topics }) =>
      connection((topics ?? []).map((topic) => subscription(topic, 'https://a.test/hook'))),
    cardCreate: async ({ input }) =>
      input.externalDossierId.trim() === ''
        ? { card: null, userErrors: [error('BLANK', ['input', 'externalDossierId'])] }
        : update({ ...card(false), externalDossierId: input.externalDossierId }, input),
    cardUpdate: async ({ id, input }) =>
      id === 'none' ? { card: null, userErrors: [error('NOT_FOUND', ['id'])] } : update(card(false), input),
    cardSessionCreate: async ({ cardId, target }) =>
      cardId === 'boom'
        ? fail('boom')
        : { cardSession: { url: 'https://a.test/s/x', target, expiresAt: '2026-10-02T08:25:30.000Z' }, userErrors: [] },
    webhookSubscriptionCreate: async ({ topic, webhookSubscription: { callbackUrl } }) =>
      isWeb(callbackUrl)
        ? { webhookSubscription: subscription(topic, callbackUrl), userErrors: [] }
        : { webhookSubscription: null, userErrors: [error('INVALID', ['webhookSubscription', 'callbackUrl'])] },
    webhookSubscriptionDelete: async ({ id }) => ({
      deletedWebhookSubscriptionId: id === 'none' ? null : gid('WebhookSubscription', 9),
      userErrors: id === 'none' ? [error('NOT_FOUND', ['id'])] : [],
    }),
  };
}
