// Shows only what holds every word of the search field. Without this script the page is whole, and the form stays hidden.
'use strict';

const form = document.querySelector('form[role=search]');
const field = document.getElementById('search');
const count = form.querySelector('output');
const parts = [...document.querySelectorAll('section.part')];
const articles = parts.flatMap((part) => [...part.querySelectorAll('article')]);
const texts = new Map(articles.map((article) => [article, `${article.id} ${article.textContent}`.toLowerCase()]));

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
  let found = 0;
  for (const article of articles) {
    article.hidden = !words.every((word) => texts.get(article).includes(word));
    if (!article.hidden) found += 1;
  }
  for (const part of parts) part.hidden = [...part.querySelectorAll('article')].every((article) => article.hidden);
  count.textContent = words.length === 0 ? '' : `${found} of ${articles.length}`;
}

// A link into the page leads to what the search may have hidden.
function clear() {
  field.value = '';
  show();
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
show();
