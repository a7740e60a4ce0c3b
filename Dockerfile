# The digest fixes the image; the tag says what it is. To update both: docs/development/releasing.md
ARG NODE_IMAGE=node:22.23.3-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY connectors connectors
COPY src src
RUN npm run build && npm run --silent dev -- sbom > feedferry.cdx.json

FROM ${NODE_IMAGE} AS runtime
ENV NODE_ENV=production \
    FEEDFERRY_DATA=/data \
    HTTP_PORT=8420
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force
COPY --from=build /app/dist dist
# The console's pages load these files from where the sources have them.
COPY --from=build /app/src/console/assets src/console/assets
COPY --from=build /app/feedferry.cdx.json ./
COPY LICENSE ./
COPY config config
COPY docs docs
COPY recipes recipes
USER node
VOLUME /data
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HTTP_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The path is absolute, because `docker run --workdir` starts it in another folder.
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "/app/dist/src/cli/main.js"]
CMD ["start"]
