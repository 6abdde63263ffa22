// Keeps the pages' own files for when the table is out of reach; what happens there is never kept.
const SHELF = "pages-1";
self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.method !== "GET" || path.startsWith("/api/")) return;
  event.respondWith(
    fetch(request)
      .then(async (answer) => {
        if (answer.ok) (await caches.open(SHELF)).put(request, answer.clone());
        return answer;
      })
      .catch(async () => (await caches.match(request)) ?? Response.error()),
  );
});
