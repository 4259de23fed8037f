// The relay: many scripts over the one pipe that Chromium has for its debugging protocol. Each script gets a session of its
// own at the browser, which is the whole browser to it; what belongs to it is known by its sessions.

export class Relay {
  #to;
  #id = 0;
  #waiting = new Map(); // id on the pipe -> {answer} of the keeper, or {peer, id} of a script
  #owners = new Map(); // session -> the script that it belongs to
  #parts = []; // of a message that is not whole yet

  // to and from are the ends of Chromium's pipe; a message ends with a NUL.
  constructor(to, from) {
    this.#to = to;
    from.on('data', (data) => this.#read(data));
  }

  // ask gives a command of the keeper's own.
  ask(method, params = {}) {
    return new Promise((resolve, reject) => {
      const answer = (m) => (m.error ? reject(new Error(`${method}: ${m.error.message}`)) : resolve(m.result));
      this.#send({ method, params }, { answer });
    });
  }

  // join lets a script in; send takes what is for it. What it returns takes what the script says, and its end.
  async join(send) {
    const { sessionId } = await this.ask('Target.attachToBrowserTarget');
    const peer = { send, root: sessionId };
    this.#owners.set(sessionId, peer);
    return {
      say: (text) => this.#say(peer, JSON.parse(text)),
      leave: () => {
        for (const [session, owner] of this.#owners) if (owner === peer) this.#owners.delete(session);
        peer.send = () => {};
        this.ask('Target.detachFromTarget', { sessionId }).catch(() => {}); // it is gone already
      },
    };
  }

  #send(message, waiting) {
    const id = ++this.#id;
    this.#waiting.set(id, waiting);
    this.#to.write(JSON.stringify({ ...message, id }) + '\0');
  }

  #say(peer, { id, method, params, sessionId = peer.root }) {
    if (this.#owners.get(sessionId) !== peer) {
      peer.send(JSON.stringify({ id, sessionId, error: { code: -32001, message: 'Session with given id not found.' } }));
      return;
    }
    this.#send({ method, params, sessionId }, { peer, id });
  }

  #read(data) {
    for (let end; (end = data.indexOf(0)) >= 0; data = data.subarray(end + 1)) {
      const text = Buffer.concat([...this.#parts, data.subarray(0, end)]).toString();
      this.#parts = [];
      this.#heard(JSON.parse(text));
    }
    if (data.length > 0) this.#parts.push(data);
  }

  #heard(message) {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (waiting?.answer) {
      waiting.answer(message);
      return;
    }
    const peer = waiting?.peer ?? this.#owners.get(message.sessionId);
    if (!peer) return; // of the keeper's own session, or of a script that has gone
    if (message.method === 'Target.attachedToTarget') this.#owners.set(message.params.sessionId, peer);
    if (message.method === 'Target.detachedFromTarget') this.#owners.delete(message.params.sessionId);
    if (waiting) {
      message.id = waiting.id;
      if (message.result?.sessionId) this.#owners.set(message.result.sessionId, peer);
    }
    if (message.sessionId === peer.root) delete message.sessionId;
    peer.send(JSON.stringify(message));
  }
}
