// Opens GraphiQL with the token of a demo. Its state stays in the memory of the page.
"use strict";

const editor = document.getElementById("editor");
const { api, schema, token } = editor.dataset;
const kept = new Map();
const storage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => void kept.set(key, value),
  removeItem: (key) => void kept.delete(key),
};
const headers = { "content-type": "application/json", "x-service-access-token": token };
const fetcher = async (request, options) => {
  const sent = { method: "POST", headers: { ...options?.headers, ...headers }, body: JSON.stringify(request) };
  return (await fetch(api, sent)).json();
};

editor.style.height = "100vh";
document.body.style.margin = "0";
fetch(schema).then(async (sdl) => {
  const defaultQuery = "query Themes {\n  themes(first: 3) {\n    nodes {\n      id\n      title\n    }\n  }\n}\n";
  const props = { fetcher, storage, defaultQuery, schema: GraphiQL.GraphQL.buildSchema(await sdl.text()) };
  ReactDOM.createRoot(editor).render(React.createElement(GraphiQL, props));
});
