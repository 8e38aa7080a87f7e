#!/usr/bin/env bash
# npm run setup: everything a clean machine lacks, from Debian, npm, PyPI, Maven and the Go module proxy.
# May be run again; what is there already is left as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

versitygw_version=v1.7.0
est_version=v1.0.6
helm_version=v4.3.1
kubeconform_version=v0.8.0
compose_version=v2.16.2
actionlint_version=v1.7.12
prometheus_operator_version=v0.85.0
# The oldest Kubernetes that the chart is for, and the newest that is known.
kubernetes_versions="1.30.0 1.37.0"
# Debian 12's Go is older than the toolchain switch of Go 1.21, so it is asked for this newer one as a module.
go_toolchain=go1.26.0

main() {
  system_packages
  headless_shell
  pinned_node
  # Compiling takes a processor, and most of the rest waits for the network.
  go_programs &
  local building=$!
  sandbox_launcher
  npm_packages
  python_programs
  other_runtimes
  java_oracles
  web_app
  wait "$building" || fail "a program in Go could not be built"
  kubernetes_schemas
  say "ready. Next: npm run check, npm test, npm run dev"
}

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# Each line: what must be there, and the package that brings it.
system_packages() {
  local missing=()
  need() { "${@:2}" >/dev/null 2>&1 || missing+=("$1"); }
  need postgresql has_postgres
  need softhsm2 has softhsm2-util
  need clamav-daemon has_clamd
  need poppler-utils has pdfsig
  need qpdf has qpdf
  need openssl has openssl
  need chromium has_chromium
  need webkit2gtk-driver has WebKitWebDriver
  need xvfb has Xvfb
  need firefox-esr has firefox-esr
  need build-essential has c++
  need build-essential has make
  # Debian 12's package cargo is older than the launcher's dependencies need; cargo-web is kept up to date.
  need cargo-web has cargo
  need podman has podman
  need runc has_runc
  need python3 has python3
  need python3-venv python3 -c 'import ensurepip, venv'
  need ca-certificates test -d /etc/ssl/certs
  need default-jdk-headless has javac
  need maven has mvn
  { [ -x .tools/bin/versitygw ] && [ -x .tools/bin/transit-engine ] && [ -x .tools/bin/estserver ] && [ -x .tools/bin/log-judge ] && [ -x .tools/bin/helm ]; } || need golang has go
  [ ${#missing[@]} -gt 0 ] || return 0

  has apt-get || fail "there is no apt-get here; please install by your own means: ${missing[*]}"
  local root=()
  if [ "$(id -u)" != 0 ]; then
    has sudo || fail "sudo is missing; please install as root: apt-get install ${missing[*]}"
    root=(sudo)
  fi
  say "installing ${missing[*]}"
  [[ " ${missing[*]} " != *" clamav-daemon "* ]] || keep_clamav_off "${root[@]}"
  "${root[@]}" apt-get update -q
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# Chromium's engine without its windows, of which the tests open many. They do with the whole where it cannot be had.
headless_shell() {
  [ -x /usr/lib/chromium/chromium-headless-shell ] && return 0
  has apt-get || return 0
  local root=()
  [ "$(id -u)" = 0 ] || { has sudo || return 0; root=(sudo); }
  say "installing chromium-headless-shell"
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium-headless-shell ||
    say "it could not be installed; the tests use chromium"
}

# Debian starts what it installs, now and at every boot. The stack starts a clamd of its own, and nobody here needs
# freshclam, which fetches signatures.
keep_clamav_off() {
  local units=(clamav-daemon.service clamav-daemon.socket clamav-freshclam.service) policy=/usr/sbin/policy-rc.d
  if [ -d /run/systemd/system ]; then
    "$@" systemctl --quiet mask "${units[@]}"
  elif [ ! -e "$policy" ]; then
    trap "$* rm -f $policy" EXIT
    # invoke-rc.d asks this program; 101 means no.
    printf '#!/bin/sh\ncase "$1" in clamav-*) exit 101 ;; esac\n' | "$@" tee "$policy" >/dev/null
    "$@" chmod 755 "$policy"
  fi
}

# pg_config may come with the client library alone; the server is where initdb is.
has_postgres() { [ -x "$(pg_config --bindir 2>/dev/null)/initdb" ] || compgen -G '/usr/lib/postgresql/*/bin/initdb'; }
# Debian keeps it where only root looks.
has_clamd() { has clamd || [ -x /usr/sbin/clamd ]; }
# Debian keeps it where only root looks.
has_runc() { has runc || [ -x /usr/sbin/runc ]; }
has_chromium() { has chromium || has chromium-browser || has google-chrome; }

# The machine's own Node, not the one that an earlier run linked into node_modules/.bin.
system_node() {
  local path
  path=$(printf '%s' "$PATH" | tr ':' '\n' | grep -v '/node_modules/' | paste -sd ':')
  PATH=$path node "$@"
}

# Where the machine's Node is older than 24, the one of .nvmrc comes from npm and is put first.
pinned_node() {
  has node && has npm || fail "Node (20 or newer) with npm is needed to begin; Debian has both: apt-get install nodejs npm"
  pinned=
  local major
  major=$(system_node -p 'process.versions.node.split(".")[0]')
  [ "$major" -ge 20 ] || fail "Node 20 or newer is needed to begin; this is $(system_node -v)"
  [ "$major" -lt 24 ] || return 0

  local wanted
  wanted=$(cat .nvmrc)
  pinned=$PWD/.tools/node/node_modules/node/bin/node
  if [ "$("$pinned" -v 2>/dev/null)" != "v$wanted" ]; then
    say "Node $(system_node -v) is older than 24; installing $wanted in .tools/node"
    mkdir -p .tools/node
    # A package.json of its own, which lets this one package run its install script where npm asks for that.
    printf '{ "private": true, "allowScripts": { "node": true } }\n' >.tools/node/package.json
    npm install --prefix .tools/node --no-save --no-audit --no-fund "node@$wanted"
    [ "$("$pinned" -v)" = "v$wanted" ] || fail "the npm package node did not bring version $wanted"
  fi
  PATH=$(dirname "$pinned"):$PATH
}

# The launcher of the PDF processes' sandbox (ADR 0094) goes where the gateways look for it, and what its tests attempt into .tools.
# cargo builds only what has changed.
sandbox_launcher() {
  local built=native/target/release launcher=packages/gateways/dist/paraph-launcher
  say "building the sandbox launcher"
  (cd native && cargo build --release --locked --quiet) || fail "the sandbox launcher could not be built"
  mkdir -p packages/gateways/dist .tools/native
  install -m 755 "$built/paraph-launcher" "$launcher"
  install -m 755 "$built/without" .tools/native/
  install -m 644 "$built/libparaph_probe.so" .tools/native/probe.node
}

npm_packages() {
  local stamp=node_modules/.paraph-lock wanted
  wanted=$(cat package-lock.json .nvmrc | sha256sum)
  if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    say "installing the npm packages"
    npm ci
    printf '%s\n' "$wanted" >"$stamp"
  fi
  # npm puts node_modules/.bin first, so every script runs on the pinned Node; npm ci has removed the link.
  if [ -n "$pinned" ]; then ln -sfn "$pinned" node_modules/.bin/node; else rm -f node_modules/.bin/node; fi
}

# For the tests of the night alone: whoever uses the client need not have Node.
other_runtimes() {
  [ "${PARAPH_LONG:-}" = true ] || return 0
  local wanted=tests/clients/runtimes/package.json there=.tools/runtimes
  cmp -s "$wanted" "$there/package.json" && [ -x "$there/node_modules/.bin/deno" ] && return 0
  say "installing Deno and Bun in $there"
  mkdir -p "$there"
  cp "$wanted" "$there/package.json"
  npm install --prefix "$there" --no-audit --no-fund --no-package-lock
}

go_programs() {
  s3_server
  transit_engine
  est_server
  log_judge
  deployment_judges
}

s3_server() {
  [ -x .tools/bin/versitygw ] && return 0
  say "building versitygw $versitygw_version (some minutes)"
  GOBIN=$PWD/.tools/bin "$(go_or_newer)" install "github.com/versity/versitygw/cmd/versitygw@$versitygw_version"
}

# The transit engine of a key server, for the tests of the key-encryption providers. They do without where it cannot be had.
transit_engine() {
  local sources=packages/gateways/src/key-encryption/testing/transit-engine built=$PWD/.tools/bin/transit-engine
  [ -x "$built" ] && return 0
  has go || return 0
  say "building the transit engine (a minute or two)"
  (cd "$sources" && "$(go_or_newer)" build -mod=readonly -o "$built" .) || say "it could not be built; its tests are skipped"
}

# Somebody else's authority that speaks EST, for the tests of ours. They do without where it cannot be had.
est_server() {
  local built=$PWD/.tools/bin/estserver folder
  [ -x "$built" ] && return 0
  has go || return 0
  say "building the EST server $est_version"
  folder=$("$(go_or_newer)" mod download -json "github.com/globalsign/est@$est_version" | sed -n 's/^\t"Dir": "\(.*\)",\?$/\1/p') || true
  { [ -d "$folder" ] && (cd "$folder" && "$(go_or_newer)" build -mod=readonly -o "$built" ./cmd/estserver); } ||
    say "it could not be built; its tests are skipped"
}

# Somebody else's reading of a log, and somebody else who witnesses one, for the tests of ours.
log_judge() {
  local sources=tests/conformance/tlog built=$PWD/.tools/bin
  [ "$built/log-judge" -nt "$sources/judge.go" ] && [ "$built/log-witness" -nt "$sources/witness/witness.go" ] && return 0
  has go || return 0
  say "building the judge and the witness of logs"
  (cd "$sources" && "$(go_or_newer)" build -mod=readonly -o "$built/log-judge" . &&
    "$(go_or_newer)" build -mod=readonly -o "$built/log-witness" ./witness) ||
    say "they could not be built; their tests are skipped"
}

go_or_newer() {
  if go version | grep -qE 'go1\.(2[1-9]|[3-9][0-9])'; then echo go; else newer_go; fi
}

newer_go() {
  local module folder
  module=golang.org/toolchain@v0.0.1-$go_toolchain.$(go env GOOS)-$(go env GOARCH)
  folder=$(go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",\?$/\1/p')
  [ -n "$folder" ] || fail "$module could not be downloaded"
  # Go keeps modules read-only and without execute bits.
  chmod -R u+w "$folder"
  chmod +x "$folder"/bin/* "$folder"/pkg/tool/*/*
  printf '%s/bin/go' "$folder"
}

# Programs by other people that judge us, each in an environment of its own: pyHanko our signatures, Schemathesis our
# descriptions. Two public clients of this family of interfaces, which both call their module by the same name. And a
# generator that makes clients from our descriptions.
python_programs() {
  python_program tests/conformance/requirements.txt .tools/pyhanko
  python_program tests/described/requirements.txt .tools/schemathesis
  python_program tests/clients/skribble-sdk.txt .tools/clients/skribble-sdk
  python_program tests/clients/skribble.txt .tools/clients/skribble
  python_program tests/clients/generated.txt .tools/clients/generated
  python_program tests/house/requirements.txt .tools/deployment
}

python_program() {
  local list=$1 venv=$2
  [ -f "$list" ] || return 0
  cmp -s "$list" "$venv/.installed" && return 0
  say "installing $list in $venv"
  [ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$list"
  cp "$list" "$venv/.installed"
}

# Those who judge what is in deploy/: Helm, the schemas of Kubernetes and of Compose, GitHub's workflows. Helm takes three minutes of a
# processor, at the lowest priority. The tests do without where they cannot be built.
deployment_judges() {
  judge helm "helm.sh/helm/v4/cmd/helm@$helm_version" helm
  judge kubeconform "github.com/yannh/kubeconform/cmd/kubeconform@$kubeconform_version" kubeconform
  judge actionlint "github.com/rhysd/actionlint/cmd/actionlint@$actionlint_version" actionlint
  judge compose-go "github.com/compose-spec/compose-go/v2/cmd@$compose_version" cmd
}

# judge NAME PACKAGE BINARY: the name under which the tests know it may be another than Go gives it.
judge() {
  [ -x ".tools/bin/$1" ] && return 0
  has go || return 0
  say "building $1"
  local folder=$PWD/.tools/go-built
  { GOBIN=$folder nice -n 19 "$(go_or_newer)" install -ldflags='-s -w' "$2" && mkdir -p .tools/bin && mv "$folder/$3" ".tools/bin/$1"; } ||
    say "it could not be built; its tests are skipped"
}

kubernetes_schemas() {
  local built=.tools/deployment/schemas reader=tests/house/read_deployment.py wanted crds
  wanted="$kubernetes_versions $prometheus_operator_version $(sha256sum <"$reader")"
  [ "$(cat "$built/.built" 2>/dev/null)" = "$wanted" ] && return 0
  has go || return 0
  [ -x .tools/deployment/bin/python ] || return 0
  say "writing the schemas of Kubernetes in $built"
  rm -rf "$built"
  crds=$("$(go_or_newer)" mod download -json "github.com/prometheus-operator/prometheus-operator@$prometheus_operator_version" |
    sed -n 's/^\t"Dir": "\(.*\)",\?$/\1/p')/example/prometheus-operator-crd
  # shellcheck disable=SC2086 # several versions
  .tools/deployment/bin/python "$reader" kubernetes "$built" $kubernetes_versions
  .tools/deployment/bin/python "$reader" crds "$built" "$crds"/*_servicemonitors.yaml "$crds"/*_prometheusrules.yaml
  printf '%s\n' "$wanted" >"$built/.built"
}

# EU DSS and veraPDF, which judge too: one jar of ours and the libraries beside it. The pom puts them in .tools.
java_oracles() {
  local sources=tests/conformance/java built=.tools/java-oracles wanted
  [ -d "$sources" ] || return 0
  wanted=$(find "$sources" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
  [ "$(cat "$built/.built" 2>/dev/null)" = "$wanted" ] && return 0
  say "building the judges in Java (EU DSS and veraPDF) in $built"
  rm -rf "$built"
  mvn -q -B -f "$sources/pom.xml" package
  printf '%s\n' "$wanted" >"$built/.built"
}

web_app() {
  [ -f apps/signing/vite.config.ts ] || return 0
  say "building the web application and the client"
  npm run --silent build
}

main "$@"
