// Messages on this device: offered where the browser can show them. The browser asks for permission after a tap only.

const box = document.querySelector("[data-push]");

const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

async function offer() {
  if (!box || !globalThis.PushManager || !globalThis.Notification || Notification.permission === "denied") return;
  const { pushManager } = await navigator.serviceWorker.ready;
  const offered = (await pushManager.getSubscription()) === null || box.dataset.push === "again";
  if (!offered) return;
  box.hidden = false;
  box.querySelector("form").addEventListener("submit", async (event) => {
    const form = event.target;
    event.preventDefault();
    try {
      if ((await Notification.requestPermission()) !== "granted") return;
      const key = bytesOf(form.dataset.key);
      const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
      const { endpoint, keys } = subscription.toJSON();
      form.elements.endpoint.value = endpoint;
      form.elements.p256dh.value = keys.p256dh;
      form.elements.auth.value = keys.auth;
      form.submit(); // without the event, which would come here again
    } catch {
      box.querySelector("[data-push-failed]").hidden = false;
    }
  });
}

offer();
