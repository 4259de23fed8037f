// taskSpace(name): the handle that scripts get. A space is a set of tabs in the one profile, so that every space has the
// person's sign-ins. The keeper remembers the tabs from one script to the next.

import { keeperAddress } from './home.mjs';
import { begin, connect } from './link.mjs';

const patience = 15000; // ms, the default of every wait in a page; a script ends at 25 s

export async function taskSpace(name) {
  if (typeof name !== 'string' || name === '') throw new Error('open task space: a name is needed');
  const [{ link, answer: { targets } }, { chromium }] = await Promise.all([begin(connect, { op: 'open', name }), import('playwright-core')]);
  const browser = await chromium.connectOverCDP(`ws+unix://${keeperAddress().browser}:/`, { timeout: patience });
  const tabs = new Tabs(link, browser);
  await tabs.resume(new Set(targets));
  return new TaskSpace(name, tabs);
}

class TaskSpace {
  #tabs;

  constructor(name, tabs) {
    this.name = name;
    this.#tabs = tabs;
  }

  // pages returns the open tabs, oldest first: pages of Playwright.
  pages() {
    return this.#tabs.open();
  }

  // page returns the newest tab, and opens one where there is none.
  async page() {
    return this.pages().at(-1) ?? (await this.newPage());
  }

  // newPage opens a tab, at an address where one is given.
  async newPage(url) {
    const page = await this.#tabs.add();
    if (url !== undefined) await page.goto(url);
    return page;
  }
}

class Tabs {
  #link;
  #context;
  #session; // a channel to the browser itself
  #ids = new Map(); // page -> target id, of every tab of the profile
  #own = new Set(); // pages of this space, oldest first
  #awaited = new Map(); // target id -> what to call with its page

  constructor(link, browser) {
    this.#link = link;
    this.#context = browser.contexts()[0];
    this.#context.setDefaultTimeout(patience);
    this.#session = browser.newBrowserCDPSession();
  }

  open() {
    return [...this.#own].filter((p) => !p.isClosed());
  }

  // resume finds the space's tabs again, and those that they opened while no script looked.
  async resume(targets) {
    const { targetInfos } = await (await this.#session).send('Target.getTargets');
    for (let before = -1; before !== targets.size; ) {
      before = targets.size;
      for (const t of targetInfos) if (targets.has(t.openerId)) targets.add(t.targetId);
    }
    this.#context.on('page', (page) => this.#arrived(page));
    const met = new Map(await Promise.all(this.#context.pages().map(async (page) => [(await this.#meet(page)).targetId, page])));
    for (const id of targets) if (met.has(id)) this.#take(met.get(id));
    await this.#report();
  }

  async add() {
    const newWindow = this.open().length === 0; // a window for each space, so that one can be taken over
    const { targetId } = await (await this.#session).send('Target.createTarget', { url: 'about:blank', newWindow, background: !newWindow });
    const known = [...this.#ids].find(([, id]) => id === targetId);
    const page = known?.[0] ?? (await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('open tab: it does not come')), patience);
      this.#awaited.set(targetId, (p) => (clearTimeout(timer), resolve(p)));
    }));
    this.#take(page);
    await this.#report();
    return page;
  }

  // arrived meets a tab that has just been opened, by us, by the person, by another script, or by a page of ours.
  async #arrived(page) {
    const { targetId, openerId } = await this.#meet(page);
    this.#awaited.get(targetId)?.(page);
    this.#awaited.delete(targetId);
    if (openerId && this.open().some((p) => this.#ids.get(p) === openerId)) this.#take(page);
    if (this.#own.has(page)) await this.#report().catch(() => {}); // else it is found again by its opener
  }

  // meet learns a tab's target id, and that of the tab that opened it.
  async #meet(page) {
    try {
      const session = await this.#context.newCDPSession(page);
      const { targetInfo } = await session.send('Target.getTargetInfo');
      await session.detach();
      this.#ids.set(page, targetInfo.targetId);
      return targetInfo;
    } catch {
      return {}; // closed in the meantime
    }
  }

  #take(page) {
    if (this.#own.has(page)) return;
    this.#own.add(page);
    const screenshot = page.screenshot.bind(page);
    page.screenshot = async (options) => {
      await this.#show(page);
      return screenshot(options);
    };
    page.on('popup', (opened) => this.#take(opened)); // at once, so that a script that waited for it finds it in pages()
    page.once('close', () => {
      this.#own.delete(page);
      this.#report().catch(() => {}); // the keeper forgets tabs that are gone with the next script
    });
  }

  // show brings a minimized window back and a tab that lies behind others to the front of its window: what is not drawn
  // cannot be photographed.
  async #show(page) {
    const session = await this.#session;
    const targetId = this.#ids.get(page) ?? (await this.#meet(page)).targetId;
    const { windowId, bounds } = await session.send('Browser.getWindowForTarget', { targetId });
    if (bounds.windowState === 'minimized') {
      await session.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } });
    }
    await page.bringToFront();
  }

  #report() {
    return this.#link.ask({ op: 'own', targets: this.open().flatMap((p) => this.#ids.get(p) ?? []) });
  }
}
