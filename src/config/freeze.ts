/** Freezes plain objects and arrays recursively, and returns the value. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return value;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
  return value;
}
