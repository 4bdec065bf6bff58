// Lists the places of the guide and of the reference that hold every word of the search field, and on the page of a version shows
// only its entries that do. Without this script the pages are whole, and the form stays hidden.
'use strict';

const RESULTS_MAX = 20;

const form = document.querySelector('form[role=search]');
const field = document.getElementById('search');
const count = form.querySelector('output');
const results = form.querySelector('ul');
const parts = [...document.querySelectorAll('section.part')];
const others = document.querySelectorAll('main > section:not(.part, #schema)');
const articles = parts.flatMap((part) => [...part.querySelectorAll('article')]);
const texts = new Map(articles.map((article) => [article, `${article.id} ${article.textContent}`.toLowerCase()]));
let index;

// Read when it is first needed.
function places() {
  index ??= fetch(form.dataset.index).then((response) => (response.ok ? response.json() : []));
  return index;
}

async function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const holds = (text) => words.every((word) => text.includes(word));
  for (const article of articles) article.hidden = !holds(texts.get(article));
  for (const part of parts) part.hidden = [...part.querySelectorAll('article')].every((article) => article.hidden);
  for (const section of others) section.hidden = words.length > 0 && !holds(section.textContent.toLowerCase());
  if (words.length === 0) {
    results.replaceChildren();
    count.textContent = '';
    return;
  }
  const typed = field.value;
  const own = location.pathname.split('/').pop();
  const found = (await places()).filter((place) => holds(`${place.title} ${place.text}`.toLowerCase()));
  if (typed !== field.value) return;
  // What the page itself shows is not listed again.
  const elsewhere = articles.length === 0 ? found : found.filter((place) => place.at.split('#')[0] !== own);
  results.replaceChildren(...elsewhere.slice(0, RESULTS_MAX).map(item));
  const shown = articles.filter((article) => !article.hidden).length;
  count.textContent = `${articles.length === 0 ? found.length : shown + elsewhere.length} found`;
}

function item(place) {
  const link = document.createElement('a');
  link.href = form.dataset.root + place.at;
  link.textContent = place.title;
  const line = document.createElement('li');
  line.append(link);
  return line;
}

// A link into the page leads to what the search may have hidden.
function clear() {
  field.value = '';
  show();
}

// The guide is open where there is room beside the page.
document.querySelector('.guide').open = matchMedia('(min-width: 64rem)').matches;

// A button copies a sample.
for (const sample of navigator.clipboard ? document.querySelectorAll('main pre') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(sample.textContent);
    button.textContent = 'Copied';
  });
  sample.before(button);
}

form.hidden = false;
form.addEventListener('submit', (event) => event.preventDefault());
field.addEventListener('input', show);
window.addEventListener('hashchange', () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.closest('[hidden]')) {
    clear();
    target.scrollIntoView();
  }
});
