# syntax=docker/dockerfile:1

FROM node:22.23-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json ./

# Only this stage has the development dependencies, which bundle the program.
FROM base AS build
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY connectors connectors
COPY src src
RUN npm run build

FROM base AS dependencies
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force

FROM node:22.23-bookworm-slim AS runtime
ENV NODE_ENV=production \
    FEEDFERRY_DATA=/data \
    HTTP_PORT=8420
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY config config
COPY docs docs
COPY recipes recipes
USER node
VOLUME /data
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HTTP_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "dist/src/cli/main.js"]
CMD ["start"]
