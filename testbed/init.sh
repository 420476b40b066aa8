#!/bin/sh
# The first process of a testbed's namespaces (mount, network, PID). Makes a machine of its own out of what `unshare`
# gave it, then becomes `pause`, which reaps what others leave behind. When it is killed the kernel ends every process
# of the PID namespace, and with the last one every mount, interface, address and firewall rule.
#
# Everything is written to memory: /run is a tmpfs, and /etc, /var/lib and /var/log are writable layers over the
# machine's, so default paths work and the machine sees none of it.
#
# usage: init.sh ETC PAUSE NODE_ADDRESS/PREFIX
set -eu
etc=$1 pause=$2 address=$3

# Shared, for Pods that ask for mount propagation; `unshare` has cut us off from the machine before.
mount --make-rshared /
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/lock /run/netns /run/containerd /run/testbed/etcd /run/testbed/registry \
  /run/testbed/argocd /run/testbed/argocd-plugins /run/testbed/git

layer() {
  mkdir -p "/run/testbed/layers$1/upper" "/run/testbed/layers$1/work"
  mount -t overlay -o "lowerdir=$1,upperdir=/run/testbed/layers$1/upper,workdir=/run/testbed/layers$1/work" overlay "$1"
}
layer /etc
layer /var/lib
layer /var/log
# What holds Pods' own layers cannot be a layer itself.
for folder in containerd kubelet; do
  mkdir -p "/run/testbed/$folder" "/var/lib/$folder"
  mount --bind "/run/testbed/$folder" "/var/lib/$folder"
done
mkdir -p /var/lib/cni /var/log/pods /var/log/containers
cp -R --remove-destination "$etc/." /etc

ip link set lo up
# A bridge without ports: the node has an address and a default route (a ClusterIP needs one before its destination is
# rewritten), and nothing can leave.
ip link add node0 type bridge
ip address add "$address" dev node0
ip link set node0 up
ip route add default dev node0
echo 1 >/proc/sys/net/ipv4/ip_forward
# Without it a Pod cannot reach itself through its Service.
if [ ! -e /proc/sys/net/bridge/bridge-nf-call-iptables ]; then
  echo "this kernel has no br_netfilter loaded: \`modprobe br_netfilter\`, then try again" >&2
  exit 1
fi
echo 1 >/proc/sys/net/bridge/bridge-nf-call-iptables

: >/run/testbed/ready
exec "$pause"
