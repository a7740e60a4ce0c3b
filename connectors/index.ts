import type { AnyConnector } from '../src/core/connector.ts';
import { csv } from './csv/csv.ts';
import { ical } from './ical/ical.ts';
import { json } from './json/json.ts';
import { jsonfeed } from './jsonfeed/jsonfeed.ts';
import { jsonld } from './jsonld/jsonld.ts';
import { rss } from './rss/rss.ts';

/** Every feed format. A new one is a folder beside these and a line here. */
export const connectors: readonly AnyConnector[] = [csv, ical, json, jsonfeed, jsonld, rss];
