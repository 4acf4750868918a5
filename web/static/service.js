// On a device: the service that this device's files came from, if it can be reached.
const PATIENCE_MS = 8000; // some networks swallow a request without a word
const SEND_MS = 120_000; // a record is long, and some phones are slow
const PATIENCE_HERE_MS = 120_000;

/** The address of the service, above the folder of this device's pages. */
export const service = location.pathname.replace(/\/here\/app\/.*$/, "");

/** Return a response of the server as {status, told}, or null without one. */
export async function ask(path, options = {}) {
  try {
    const answer = await fetch(service + path, {
      cache: "no-store",
      signal: AbortSignal.timeout(options.body ? SEND_MS : PATIENCE_MS),
      ...options,
    });
    if (answer.status >= 502 && answer.status <= 504) return null;
    const kind = answer.headers.get("Content-Type") ?? "";
    return { status: answer.status, told: kind.startsWith("application/json") ? await answer.json() : {} };
  } catch {
    return null;
  }
}

/** Daybook on this device has not answered, or has failed. Everything recorded here is kept. */
class DeviceFailedError extends Error {}

const NO_ROOM = "507"; // the status where nothing can be written

/** Request something from this device's own pages; {status, told}. Throws a DeviceFailedError, see reportDevice. */
export async function askHere(path, csrf, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "X-CSRF-Token": csrf }, body };
  try {
    const signal = AbortSignal.timeout(PATIENCE_HERE_MS);
    const answer = await fetch(path, { cache: "no-store", signal, ...options });
    const kind = answer.headers.get("Content-Type") ?? "";
    if (!kind.startsWith("application/json")) throw new Error(`${answer.status}`);
    return { status: answer.status, told: await answer.json() };
  } catch (wrong) {
    throw new DeviceFailedError(wrong.message, { cause: wrong });
  }
}

/** Do some work of a page. If this device fails meanwhile, show that, with a button that starts its Daybook again. */
export async function reportDevice(work) {
  const failed = document.querySelector("[data-device-failed]");
  failed.hidden = true;
  try {
    return await work();
  } catch (wrong) {
    console.error(wrong);
    const reason = failed.querySelector("[data-reason]");
    reason.textContent = wrong.message === NO_ROOM ? reason.dataset.reason : `(${wrong.message})`;
    failed.querySelector("button").onclick = () => top.location.reload();
    failed.hidden = false;
  }
}
