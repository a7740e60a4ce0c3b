// Preloaded into a process: turns its clock, as `Date` shows it, some time after its start.
// TURN_CLOCK: after how many ms, and by how many, such as "300,-3600000". Timers and the monotonic clock go on as they do.
const [afterMs = 0, byMs = 0] = (process.env.TURN_CLOCK ?? '').split(',').map(Number);
const TrueDate = Date;
let aheadMs = 0;
setTimeout(() => {
  aheadMs = byMs;
}, afterMs).unref();

const now = () => TrueDate.now() + aheadMs;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
