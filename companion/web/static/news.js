// What has happened since a page looked last: each move with what it led to, once.

export class News {
  game = "";
  seq = 0;

  /** `said`: sentences to speak; `beats`: what the new moves led to. A page that just opened has no news. */
  take({ entry, log, beats }, first) {
    const [game, at] = entry.split("/");
    const since = game === this.game ? this.seq : 0;
    const rows = first ? [] : log.filter((one) => one.seq > since);
    const back = !first && !rows.length && game === this.game && Number(at) > this.seq; // taken back, corrected
    this.game = game;
    this.seq = Number(at);
    const fresh = (rows.length ? rows.flatMap((one) => one.beats) : back ? beats : []).filter((one) => one.weight);
    const told = rows.map((one) => one.told);
    const more = fresh.map((one) => one.says).filter((says) => !told.some((one) => one.includes(says))); // said once
    return { beats: fresh, said: [...told, ...more] };
  }
}
