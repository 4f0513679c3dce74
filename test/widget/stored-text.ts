/** Everything that the page keeps anywhere, or in its databases alone, as text; for `page.evaluate`. */
export const storedText = async (from: 'anywhere' | 'databases' = 'anywhere'): Promise<string> => {
  const kept: string[] = from === 'databases' ? [] : [document.cookie, document.title, location.href, JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), String(history.length)];
  for (const name of from === 'databases' ? [] : await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) kept.push(request.url, (await (await cache.match(request))?.text()) ?? '');
  }
  for (const { name = '' } of await indexedDB.databases()) {
    kept.push(name);
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(new Error('cannot open'));
    });
    for (const store of database.objectStoreNames) {
      const all = await new Promise((resolve, reject) => {
        const reading = database.transaction(store).objectStore(store).getAll();
        reading.onsuccess = () => resolve(reading.result);
        reading.onerror = () => reject(new Error('cannot read'));
      });
      kept.push(JSON.stringify(all));
    }
    database.close();
  }
  return kept.join('\n');
};
