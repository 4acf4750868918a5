// On a device: the service that this device's files came from, if it can be reached.
const PATIENCE_MS = 8000; // some networks swallow a request without a word

/** The address of the service, above the folder of this device's pages. */
export const service = location.pathname.replace(/\/here\/app\/.*$/, "");

/** An answer of the service as {status, told}; null: nobody answers. */
export async function ask(path, options = {}) {
  try {
    const answer = await fetch(service + path, {
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...options,
    });
    if (answer.status >= 502 && answer.status <= 504) return null;
    const kind = answer.headers.get("Content-Type") ?? "";
    return { status: answer.status, told: kind.startsWith("application/json") ? await answer.json() : {} };
  } catch {
    return null;
  }
}

/** What this device's own pages answer, as {status, told}. */
export async function askHere(path, csrf, body) {
  const answer = await fetch(
    path,
    body === undefined ? { cache: "no-store" } : { method: "POST", headers: { "X-CSRF-Token": csrf }, body },
  );
  const kind = answer.headers.get("Content-Type") ?? "";
  return { status: answer.status, told: kind.startsWith("application/json") ? await answer.json() : {} };
}
