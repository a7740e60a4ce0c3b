// What the pages do beyond links and forms. All of them work without it.

const KEPT = 'feedferry-form';
const place = () => location.pathname + location.search;

// "/" leads to the search, unless a person is typing.
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, select, textarea')) return;
  event.preventDefault();
  document.getElementById('search').focus();
});

// A page that is not refreshed says so, and a page that nobody sees is not refreshed.
addEventListener('htmx:before:request', (event) => {
  if (document.hidden) event.preventDefault();
});
addEventListener('htmx:error', () => isLost(true));
addEventListener('htmx:response:error', () => isLost(true));
addEventListener('htmx:after:swap', () => isLost(false));

function isLost(lost) {
  const said = document.getElementById('connection');
  if (said.textContent !== '' || lost) said.textContent = lost ? said.dataset.lost : '';
}

// After a form, the focus is on its result, or where it was. What was typed is there again if the session had ended meanwhile.
addEventListener('submit', ({ target: form }) => {
  if (form.method !== 'post') return;
  const typed = Array.from(form.querySelectorAll('textarea, input:not([type])')).map(({ name, value }) => [
    name,
    value,
  ]);
  sessionStorage.setItem(KEPT, JSON.stringify({ place: place(), action: form.getAttribute('action'), typed }));
});

// Screen readers announce what a form did, because it changes after the page has loaded; loaded again, the page no longer says it.
const done = document.getElementById('done');
if (done?.firstElementChild) {
  const said = done.firstElementChild;
  setTimeout(() => done.replaceChildren(said));
  done.replaceChildren();
  const url = new URL(location.href);
  url.searchParams.delete('done');
  history.replaceState(null, '', url);
}

const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? '{}');
sessionStorage.removeItem(KEPT);
if (kept.place === place()) {
  const form = Array.from(document.forms).find((each) => each.getAttribute('action') === kept.action);
  for (const details of document.querySelectorAll('details')) if (form && details.contains(form)) details.open = true;
  if (new URL(document.referrer || location.href).pathname === '/login') {
    for (const [name, value] of kept.typed) if (form?.elements[name]) form.elements[name].value = value;
  }
  (form?.querySelector('button') ?? done ?? document.getElementById('main')).focus();
}
if (kept.place) document.getElementById('result')?.focus();
