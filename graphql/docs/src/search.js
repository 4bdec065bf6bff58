// Lists the places of the guide and of the reference that hold every word of the search field. Without this script the form stays
// hidden.
'use strict';

const RESULTS_MAX = 20;

const form = document.querySelector('form[role=search]');
const field = document.getElementById('search');
const count = form.querySelector('output');
const results = form.querySelector('ul');
let index;

// Read when it is first needed.
function places() {
  index ??= fetch(form.dataset.index).then((response) => (response.ok ? response.json() : []));
  return index;
}

async function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const holds = (text) => words.every((word) => text.includes(word));
  if (words.length === 0) {
    results.replaceChildren();
    count.textContent = '';
    return;
  }
  const typed = field.value;
  const found = (await places()).filter((place) => holds(`${place.title} ${place.text}`.toLowerCase()));
  if (typed !== field.value) return;
  results.replaceChildren(...found.slice(0, RESULTS_MAX).map(item));
  count.textContent = `${found.length} found`;
}

function item(place) {
  const link = document.createElement('a');
  link.href = form.dataset.root + place.at;
  link.textContent = place.title;
  const line = document.createElement('li');
  line.append(link);
  return line;
}

// The guide and the section of the page are open where there is room beside the page.
const isWide = matchMedia('(min-width: 64rem)').matches;
for (const list of document.querySelectorAll('.guide, .here')) list.open = isWide;

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
