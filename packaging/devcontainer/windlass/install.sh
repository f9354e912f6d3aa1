#!/bin/sh
# Installs Windlass into a development container: the program, and the sandbox it uses.
set -eu
# There is no package with this name in a registry, so a name alone would install a stranger's.
: "${PACKAGE:?the option \`package\` names the wheel to install}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends bash bubblewrap git openssh-client python3 python3-venv
python3 -m venv /opt/windlass
/opt/windlass/bin/pip install --quiet --disable-pip-version-check "$PACKAGE"
ln -sf /opt/windlass/bin/windlass /usr/local/bin/windlass
windlass --version
