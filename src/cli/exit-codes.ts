/** Exit codes of the command line; 130 and 143 stand for SIGINT and SIGTERM. */
export const EXIT = { success: 0, failed: 1, usage: 2, partial: 3, SIGINT: 130, SIGTERM: 143 } as const;
