# Runs one function of the suite in the current directory (a copy of the suite) against a running server, instead of
# the suite's own setup, which builds Kubernetes and starts etcd. Requires FUNCTION, SECURE_API_PORT, KUBECONFIG,
# THIS_PLATFORM_BIN and HOME.
set -o errexit -o nounset -o pipefail
export KUBE_ROOT=. CONTEXT=test ALLOW_SKEW=1 SUPPORTED_RESOURCES='*' TERM=xterm
# Colour settings and user preferences are not under test.
unset NO_COLOR KUBECTL_EXTERNAL_DIFF KUBE_EDITOR EDITOR || true
export KUBE_TEMP="${HOME}"
source hack/lib/util.sh
source hack/lib/logging.sh
source hack/lib/test.sh
source test/cmd/legacy-script.sh
kube::util::ensure-gnu-sed

kubectl config set-credentials test-admin --token admin-token
kubectl config set-cluster local --insecure-skip-tls-verify --server "https://127.0.0.1:${SECURE_API_PORT}"
kubectl config set-context "${CONTEXT}" --user test-admin --cluster local
kubectl config use-context "${CONTEXT}"
kubectl create -f - <<'NODE'
{"kind": "Node", "apiVersion": "v1",
 "metadata": {"name": "127.0.0.1", "annotations": {"save-managers": "true"}},
 "status": {"capacity": {"memory": "1Gi"}}}
NODE

# Prints where the function stopped, for the report.
set -o errtrace
trap 'echo "STOPPED at $(basename "${BASH_SOURCE[0]}"):${LINENO}: ${BASH_COMMAND}"' ERR
# In a full run of the suite, the namespace of the previous function is still in use.
create_and_use_new_namespace
run_only_one_tests() { "${FUNCTION}"; }
export WHAT=only_one
runTests
echo "FUNCTION PASSED"
