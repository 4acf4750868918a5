// While games wait for their audit the page looks again by itself.

const AGAIN_MS = 4000;

if (document.querySelector("[data-due]")) setTimeout(() => location.reload(), AGAIN_MS);
