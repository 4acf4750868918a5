// Start Swagger UI on our own document. It calls no other host: no validator, nothing fetched from elsewhere.
const place = document.getElementById("api");
window.ui = SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  validatorUrl: null,
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
});
