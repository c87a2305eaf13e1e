// Tells Python the address that this page has in the browser: behind a proxy only the browser knows it. And asks the server
// to let this network in, or to do so no more: only a page of the server can.
export default {
  render({ model, el }) {
    model.set("browser", location.href.split("?")[0]);
    model.save_changes();
    const gate = async (open) => {
      let refused = "";
      try {
        const answer = await fetch(`${location.pathname.split("/voila/")[0]}/voila/gate`, { method: "POST",
          headers: { "Content-Type": "application/json" }, body: JSON.stringify({ open }) });
        refused = answer.ok ? (await answer.json()).error : String(answer.status);
      } catch (error) {
        refused = String(error.message ?? error);
      }
      model.send({ event: "gate", open, refused });
    };
    const heard = ({ open }) => gate(open);
    model.on("msg:custom", heard);
    return () => model.off("msg:custom", heard);
  },
};
