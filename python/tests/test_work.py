"""Long work beside the interpreter: interrupted, counted, on threads, and in little memory."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext

import numpy as np
import pytest

import muffliato as mf
from muffliato.sharding import Shard, everywhere

LONG = """
import signal, threading, time, os, sys
import muffliato as mf
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
began = time.monotonic()
try:
    {work}
except KeyboardInterrupt:
    print("stopped after", time.monotonic() - began)
    sys.exit(0)
sys.exit("was not stopped")
"""


@pytest.mark.parametrize(
    "work",
    [
        'mf.account("hypercube:11", "refreshed:0.1", steps=12, observers="all").by_distance()',
        'mf.account("hypercube:11", "refreshed:0.1", steps=12, observers="all").to_pandas()',
        'mf.command("account", "hypercube:11", "--protocol", "refreshed:0.1", "--steps", "12", "--observers", "all")',
    ],
)
def test_ctrl_c_stops_work(work):
    done = subprocess.run([sys.executable, "-c", LONG.format(work=work)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "stopped after" in done.stdout, done.stderr


def test_other_threads_run_meanwhile():
    account = mf.account("hypercube:8", "refreshed:0.1", steps=8, observers="all")
    turns, done = 0, threading.Event()

    def work():
        account.by_distance()
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.is_set():
        turns += 1
        time.sleep(0.001)
    worker.join()
    assert turns > 10


def test_many_threads_may_ask_one_account():
    account = mf.account("karate", "refreshed:0.1", steps=3)
    expected = {v: account.loss(0, v).upper for v in range(1, 34)}
    found, failures = {}, []

    def ask(v):
        try:
            found[v] = account.loss(0, v).upper
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=ask, args=(v,)) for v in expected]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failures and found == expected


def test_any_number_of_threads_gives_the_same_bytes():
    parts = [mf.account("hypercube:6", "refreshed:0.1", steps=5, observers="all", threads=n).by_distance() for n in (None, 1, 2, 5)]
    assert all(part == parts[0] for part in parts)


def test_progress_is_shown_by_tqdm(monkeypatch):
    tqdm_auto = pytest.importorskip("tqdm.auto")
    bars = []

    class Silent(tqdm_auto.tqdm):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, file=open(os.devnull, "w"), **kwargs)
            bars.append(self)

    monkeypatch.setattr(tqdm_auto, "tqdm", Silent)
    mf.account("hypercube:8", "refreshed:0.1", steps=8, observers="all", progress=True).by_distance()
    assert len(bars) == 1 and bars[0].unit == "observers" and bars[0].n == bars[0].total


def ask_late(account, answer, tmp_path):
    """One answer of an account; how many observers are in it, of 2048."""
    if answer == "by_distance":
        found = account.by_distance()
        assert not found.complete and {row["status"] for row in found} == {"partial"}
        assert found == pickle.loads(pickle.dumps(found)) and pickle.loads(pickle.dumps(found)).finished == found.finished
        return found.finished
    if answer == "matrix":
        return int(np.sum(~np.isnan(account.matrix()).all(axis=0)))
    if answer == "to_pandas":
        frame = account.to_pandas()
        assert frame.attrs["partial"]
        return frame["observer"].nunique()
    parquet = pytest.importorskip("pyarrow.parquet")
    account.to_parquet(tmp_path / "pairs.parquet")
    return len(set(parquet.read_table(tmp_path / "pairs.parquet")["observer"].to_pylist()))


@pytest.mark.parametrize("answer", ["by_distance", "matrix", "to_pandas", "to_parquet"])
@pytest.mark.parametrize("workers", [0, 2])
def test_partial_answers_are_marked(answer, workers, tmp_path):
    # Workers have to start first.
    long = dict(steps=24, observers="all", threads=1, max_time=6 if workers else 2)
    with ProcessPoolExecutor(workers) if workers else nullcontext() as pool:
        account = mf.account("hypercube:11", "refreshed:0.1", executor=pool, **long)
        with pytest.warns(mf.PartialWarning, match="the time is up after [0-9]+ of 2048 observers"):
            assert 0 < ask_late(account, answer, tmp_path) < 2048


def test_no_time_gives_an_error(tmp_path):
    late = mf.account("karate", "refreshed:0.1", steps=3, max_time=0)
    training = mf.account("karate", "gd:2x1", max_time=0)
    with ThreadPoolExecutor(2) as pool:
        spread = mf.account("karate", "refreshed:0.1", steps=3, max_time=0, executor=pool)
        for ask in (
            late.by_distance,
            late.matrix,
            late.to_pandas,
            lambda: late.to_parquet(tmp_path / "pairs.parquet"),
            lambda: late.loss(33, 3),
            lambda: late.group_loss([33, 16], 3),
            lambda: training.guarantee(33, 3),
            lambda: training.certificate(33, 3),
            spread.by_distance,
        ):
            with pytest.raises(mf.MuffliatoError, match="the time is up after 0 of"):
                ask()
    with pytest.raises(mf.MuffliatoError, match="max_time is -1; give seconds"):
        mf.account("karate", max_time=-1)
    # With time enough nothing is different.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole, timed = (mf.account("karate", "refreshed:0.1", steps=3, max_time=limit) for limit in (None, 3600))
        assert timed.by_distance() == whole.by_distance() and timed.by_distance().finished is None
        assert not timed.to_pandas().attrs["partial"] and timed.loss(33, 3) == whole.loss(33, 3)


GROWN = """
import resource
import muffliato as mf


def once():
    account = mf.account("hypercube:8", "refreshed:0.1", steps=3)
    account.matrix()
    account.loss(0, 255)


def pages():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])


for _ in range(5):
    once()
before = pages()
for _ in range(40):
    once()
print((pages() - before) * resource.getpagesize())
"""


def test_memory_is_released():
    if not os.path.exists("/proc/self/statm"):
        pytest.skip("the memory of a process is read from /proc")
    # In a process of its own, which other tests have not made larger, and whose threads share one heap: with several it depends on the threads how far each grows.
    run = [sys.executable, "-c", GROWN]
    one_heap = {**os.environ, "MALLOC_ARENA_MAX": "1"}
    grown = int(subprocess.run(run, env=one_heap, capture_output=True, text=True, check=True).stdout)
    # The columns of a matrix have 6 MB: forty that stayed would be 240 MB. What is free at the end of a heap comes and goes by 30.
    assert grown < 60e6


def die_once(marker, shard):
    """A worker that dies on its first shard but one."""
    if shard.index == 1 and not os.path.exists(marker):
        open(marker, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return shard.run()


def test_a_dead_process_is_replaced_and_counted(tmp_path):
    import functools

    account = mf.account("hypercube:6", "refreshed:0.1", steps=3, observers="all")
    parts = {}
    with ProcessPoolExecutor(2) as pool:
        work = functools.partial(die_once, str(tmp_path / "died"))
        retried = everywhere(pool, work, [account.shard(k, 8) for k in range(8)], parts.__setitem__, False)
    assert retried >= 1 and (tmp_path / "died").exists()
    assert mf.merge([parts[k] for k in range(8)]) == account.by_distance()


def fail(shard: Shard) -> str:
    raise RuntimeError("no such luck")


def test_persistent_failures_are_raised():
    account = mf.account("path:4", "refreshed:0.1", steps=2, observers="all")
    with ProcessPoolExecutor(1) as pool:
        with pytest.raises(RuntimeError, match="luck"):
            everywhere(pool, fail, [account.shard(k, 2) for k in range(2)], lambda *_: None, False)
        account = mf.account("path:4", "gd:2x1", steps=None, observers="all", lipschitz="1/2", executor=pool)
        assert account.by_distance(2).complete
