// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.audit;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.packing.bdt.rpc.ClaimBatchReply;
import io.packing.bdt.rpc.FindReply;
import io.packing.bdt.rpc.OutcomeCode;
import io.packing.transport.identity.CallerAddress;
import io.packing.transport.identity.Identity;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log: it writes each request, its caller and the check of rights to the logger {@value #LOGGER}, after the answer
 * and on its own thread.
 * Lines are as HDFS writes them. None is lost: when the queue is full, the calling thread writes its own line. Thread-safe.
 */
public final class AuditLog implements ServerInterceptor, AutoCloseable {
    /** The name of the logger. */
    public static final String LOGGER = "packing.audit";

    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final int QUEUE = 8_192;
    private static final long STOP_SECONDS = 10;

    private final Consumer<String> lines;
    private final ThreadPoolExecutor writer = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(QUEUE),
            task -> {
                Thread thread = new Thread(task, "bdt-audit");
                thread.setDaemon(true);
                return thread;
            },
            (task, pool) -> task.run());

    /** Writes to the logger. */
    public static AuditLog toLogger() {
        return new AuditLog(Written::add);
    }

    AuditLog(Consumer<String> lines) {
        this.lines = lines;
    }

    /** The logger that gets the lines. */
    private static final class Written {
        private static final Logger LOG = LoggerFactory.getLogger(LOGGER);

        static void add(String line) {
            LOG.info("{}", line);
        }
    }

    /** Records an operation outside of the BDT protocol. */
    public void tell(boolean allowed, AuditCaller caller, String command, String source) {
        tell(AuditEvent.of(command, source), allowed, caller);
    }

    /** Writes a line for each file that the master has found to be lost. */
    public void lost(String mount, List<String> paths) {
        AuditCaller master = new AuditCaller("bdt-master", "NONE", Optional.empty(), mount);
        paths.forEach(path -> tell(true, master, "lost", path));
    }

    private void tell(AuditEvent event, boolean allowed, AuditCaller caller) {
        writer.execute(() -> lines.accept(event.line(allowed, caller)));
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Watched<Q, A> watched = new Watched<>(call, AuditCaller.of(Identity.current(), CallerAddress.of(call)));
        return watched.listening(next.startCall(watched, headers));
    }

    /** A call whose requests are recorded when they are answered. */
    private final class Watched<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final AuditCaller caller;
        private final Queue<List<AuditEvent>> unanswered = new ConcurrentLinkedQueue<>();

        Watched(ServerCall<Q, A> call, AuditCaller caller) {
            super(call);
            this.caller = caller;
        }

        ServerCall.Listener<Q> listening(ServerCall.Listener<Q> handler) {
            String method = String.valueOf(getMethodDescriptor().getBareMethodName());
            return new SimpleForwardingServerCallListener<>(handler) {
                @Override
                public void onMessage(Q message) {
                    unanswered.add(AuditEvents.of(method, message));
                    super.onMessage(message);
                }
            };
        }

        @Override
        public void sendMessage(A message) {
            if (message instanceof ClaimBatchReply reply) {
                tellEach(reply.getAnswersCount(), i -> reply.getAnswers(i).getRefusal() != OutcomeCode.DENIED);
            } else if (message instanceof FindReply reply) {
                // Paths without an answer are asked for again.
                tellEach(reply.getFoundCount(), i -> !reply.getFound(i).hasDenied());
            }
            super.sendMessage(message);
        }

        /** Records a request with several answers. */
        private void tellEach(int answers, IntPredicate allowed) {
            List<AuditEvent> events = unanswered.poll();
            for (int i = 0; events != null && i < Math.min(events.size(), answers); i++) {
                tell(events.get(i), allowed.test(i), caller);
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            boolean allowed = status.getCode() != Status.Code.PERMISSION_DENIED;
            for (List<AuditEvent> events = unanswered.poll(); events != null; events = unanswered.poll()) {
                events.forEach(event -> tell(event, allowed, caller));
            }
            super.close(status, trailers);
        }
    }

    /** Writes what waits. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn(
                        "{} lines of the audit log were not written in {} s",
                        writer.getQueue().size(),
                        STOP_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
