// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * Requests of a client, some of which are under way when a process is killed. Each is of paths of its own. One that was answered is done; one that was
 * not may be done or not.
 */
final class RequestsUnderWay {
    private static final int THREADS = 3;

    /** A request to a mount; fails when it is not answered. */
    interface Call {
        void ask(PackingFileSystem mount) throws IOException;
    }

    /**
     * A request.
     *
     * @param after the files that its paths have when it is done; empty: none
     */
    record Request(String what, Map<String, Optional<ModelFile>> after, Call call) {
        boolean isRename() {
            return after.size() > 1;
        }

        boolean isWrite() {
            return after.values().stream().allMatch(Optional::isPresent);
        }

        static Request write(String path, ModelFile file) {
            return new Request(
                    "write %d bytes to %s".formatted(file.bytes().length, path),
                    Map.of(path, Optional.of(file)),
                    mount -> {
                        PackingOutput out =
                                mount.create(new FilePath(path), new CreateOptions("u", "g", 0644, true, true));
                        out.write(file.bytes());
                        out.close();
                    });
        }

        static Request delete(String path) {
            return new Request("delete " + path, Map.of(path, Optional.empty()), mount -> {
                if (mount.bdt().delete(new FilePath(path), false) != Outcome.DONE) {
                    throw new IOException("not deleted: " + path);
                }
            });
        }

        static Request rename(String from, String to, ModelFile file) {
            return new Request(
                    "rename %s to %s".formatted(from, to),
                    Map.of(from, Optional.empty(), to, Optional.of(file)),
                    mount -> {
                        VectorResult result = mount.bdt()
                                .apply(OperationVector.of(
                                        new Operation.Rename(new FilePath(from), new FilePath(to), false)));
                        if (!(result instanceof VectorResult.Applied)) {
                            throw new IOException("not renamed: " + result);
                        }
                    });
        }
    }

    private final PackingFileSystem mount;
    private final List<Request> requests;
    private final List<Thread> threads = new ArrayList<>();
    private final Semaphore ends = new Semaphore(0);
    /** Guarded by this. */
    private final Set<Request> answered = new LinkedHashSet<>();
    /** Guarded by this. */
    private int next;
    /** The number of requests that were sent; -1: more may be. Guarded by this. */
    private int cut = -1;

    private RequestsUnderWay(PackingFileSystem mount, List<Request> requests) {
        this.mount = mount;
        this.requests = requests;
    }

    /** Sends requests, each when a thread is free. */
    static RequestsUnderWay send(PackingFileSystem mount, List<Request> requests) {
        RequestsUnderWay sent = new RequestsUnderWay(mount, requests);
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(sent::ask, "requests-" + i);
            sent.threads.add(thread);
            thread.start();
        }
        return sent;
    }

    private synchronized Optional<Request> take() {
        return next < requests.size() ? Optional.of(requests.get(next++)) : Optional.empty();
    }

    private void ask() {
        for (Optional<Request> each = take(); each.isPresent(); each = take()) {
            try {
                each.get().call.ask(mount);
                answer(each.get());
            } catch (IOException | RuntimeException e) {
                // No answer came, as none will to others.
                List<Request> unused = stop();
                ends.release(requests.size());
            }
            ends.release();
        }
    }

    private synchronized void answer(Request request) {
        answered.add(request);
    }

    /** Waits until some have been answered. */
    void await(int some) {
        ends.acquireUninterruptibly(some);
    }

    /** Returns the requests that have been answered until now. */
    synchronized Set<Request> answered() {
        return Set.copyOf(answered);
    }

    /** Waits for the threads; sends no more. */
    void join() {
        List<Request> sent = stop();
        try {
            for (Thread each : threads) {
                each.join();
            }
        } catch (InterruptedException e) {
            throw new AssertionError("requests still wait: " + sent, e);
        }
    }

    /** Sends no more requests; returns those that were sent. */
    synchronized List<Request> stop() {
        if (cut < 0) {
            cut = next;
            next = requests.size();
        }
        return requests.subList(0, cut);
    }
}
