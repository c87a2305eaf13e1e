// Tells Python the address that this page has in the browser: behind a proxy only the browser knows it.
export default {
  render({ model, el }) {
    model.set("browser", location.href.split("?")[0]);
    model.save_changes();
  },
};
