// A Push backend on the ws library. It prints its port, answers each turn by its text, and checks what it is sent.
"use strict";
const { WebSocketServer } = require("ws");

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, path: "/pet/ws" });
server.on("listening", () => console.log(server.address().port));

server.on("connection", (socket) => {
  const send = (frame) => socket.send(JSON.stringify(frame));
  const render = (turn_id, speech, cues = []) =>
    send({ type: "render", turn_id, source: "peer", segments: [{ cues, speech }] });
  const end = (turn_id) => send({ type: "turn_end", turn_id });
  const waiting = new Map(); // call_id -> what to do with its result
  let hello = null;
  let calls = 0;

  const call = (turn_id, name, args, then) => {
    const call_id = `call-${++calls}`;
    waiting.set(call_id, then);
    send({ type: "tool_call", turn_id, call_id, name, arguments: args, wait_ms: 10000 });
  };

  const answers = {
    hello: (id) => {
      render(id, "Hello from JavaScript.", [{ emotion_id: "joy" }]);
      render(id, "お茶をどうぞ。🍵");
      end(id);
    },
    tools: (id) => {
      render(id, hello.tools.map((t) => t.function.name).join(" ") + ` for ${hello.chat_id}`);
      end(id);
    },
    look: (id) =>
      call(id, "look", { at: "screen" }, (f) => {
        render(id, `${f.result}: ${(f.images || []).map((i) => i.slice(0, 14)).join(" ")}`);
        call(id, "juggle", {}, (g) => {
          render(id, g.result);
          end(id);
        });
      }),
    fragments: (id) => {
      const raw = JSON.stringify({ type: "render", turn_id: id, source: "peer", segments: [{ cues: [], speech: "In pieces — 断片。" }] });
      const bytes = Buffer.from(raw);
      for (let i = 0; i < bytes.length; i += 3) {
        socket.send(bytes.subarray(i, i + 3), { binary: false, fin: i + 3 >= bytes.length });
        if (i === 30) socket.ping("between");
      }
      end(id);
    },
    large: (id) => {
      render(id, "x".repeat(300000));
      socket.send("{ this is no json");
      socket.send(Buffer.from([1, 2, 3]));
      send({ type: "something_new", turn_id: id });
      render(id, "Only this.");
      end(id);
    },
    story: (id) => {
      send({ type: "speech", turn_id: id, segments: [{ cues: [], speech: "Once upon a time" }] });
      waiting.set("stop", () => {
        render(id, "which nobody wants to hear any more.");
        end(id);
        render("peer-1", "As you like.");
        end("peer-1");
      });
    },
    crash: () => socket.terminate(),
  };

  socket.on("message", (raw, binary) => {
    const f = JSON.parse(raw.toString());
    if (binary) return socket.close(1003, "binary");
    if (!hello && f.type !== "hello") return socket.close(1002, "no hello");
    switch (f.type) {
      case "hello":
        if (f.key !== "secret-key-1") return socket.close(4401, "wrong key");
        hello = f;
        return send({ type: "ready", chat_id: f.chat_id });
      case "turn":
        if (!/^\d+$/.test(f.turn_id) || !f.client_context.includes("trigger: ")) return socket.close(1002, "bad turn");
        return answers[f.text](f.turn_id);
      case "stop":
        return waiting.get("stop")(f);
      case "tool_result":
        return waiting.get(f.call_id)(f);
      case "reset":
        render("peer-reset", "A new leaf.");
        return end("peer-reset");
      case "vocabulary":
        return;
      default:
        return socket.close(1002, "unknown frame");
    }
  });
});
