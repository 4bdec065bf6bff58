// Opens GraphiQL for a version of the API, with a token that only this page holds.
"use strict";

const start = document.getElementById("start");
const editor = document.getElementById("editor");
const form = start.querySelector("form");
const message = start.querySelector("[role=alert]");

// GraphiQL writes its state to the storage of the browser; this replaces it with the memory of the page.
const kept = new Map();
const storage = {
  get length() {
    return kept.size;
  },
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => void kept.set(key, value),
  removeItem: (key) => void kept.delete(key),
  clear: () => kept.clear(),
};

const query = `# Ctrl-Space shows what can be asked for here. The button with the triangle sends it.
query Themes {
  themes(first: 3) {
    nodes {
      id
      title
    }
  }
}
`;

async function open(version, token) {
  const api = `${form.dataset.api}/${version}`;
  const sdl = await fetch(`${api}/schema.graphql`);
  if (!sdl.ok) throw new Error(`The schema of ${version} cannot be read (${sdl.status}).`);
  const schema = GraphiQL.GraphQL.buildSchema(await sdl.text());
  const fetcher = async (request, options) => {
    const headers = {
      accept: "application/graphql-response+json, application/json",
      ...options?.headers,
      "content-type": "application/json",
      "x-service-access-token": token,
    };
    const answer = await fetch(`${api}/graphql`, { method: "POST", headers, body: JSON.stringify(request) });
    return answer.json();
  };
  start.hidden = true;
  editor.hidden = false;
  const props = { fetcher, schema, storage, defaultQuery: query };
  ReactDOM.createRoot(editor).render(React.createElement(GraphiQL, props));
}

function begin() {
  message.textContent = "";
  open(form.elements.version.value, form.elements.token.value.trim()).catch((error) => {
    message.textContent = error.message;
  });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  begin();
});

// A demo has filled in its own test key.
if (form.elements.token.defaultValue) begin();
