/* A host page's own habits: shortcuts on single keys, and a search box that takes every slash. */
document.addEventListener('keydown', (event) => {
  const tag = event.target instanceof Element ? event.target.tagName : '';
  if (tag === 'INPUT' || tag === 'TEXTAREA') return;
  if (event.key === '/' || event.key === 's') {
    event.preventDefault();
    document.getElementById('q')?.focus();
  }
});
document.querySelector('.search')?.addEventListener('submit', (event) => event.preventDefault());
