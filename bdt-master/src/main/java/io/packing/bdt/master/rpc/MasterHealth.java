// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.transport.CheckedMessages;
import io.packing.transport.MessageLimits;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The standard gRPC health service of a master, which asks anew at every check. The service {@code ""} is that of readiness, and
 * {@value #LIVE} tells whether a restart is what helps. Thread-safe.
 */
public final class MasterHealth implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(MasterHealth.class);
    /** A refusal of an unknown service repeats its name, in the headers of an answer. */
    private static final MessageLimits LIMITS = new MessageLimits(Map.of(), 256, Map.of(), 1);

    /** Serves as long as no restart is needed. */
    public static final String LIVE = "live";

    private final HealthStatusManager manager = new HealthStatusManager();
    private final Supplier<Optional<String>> problem;
    private final Supplier<Optional<String>> needsRestart;
    private boolean well = true;

    /**
     * @param problem why operators must see to the master or a mount of it, if they must
     * @param needsRestart why only a restart helps, if it is so
     */
    public MasterHealth(Supplier<Optional<String>> problem, Supplier<Optional<String>> needsRestart) {
        this.problem = problem;
        this.needsRestart = needsRestart;
    }

    public ServerServiceDefinition service() {
        return CheckedMessages.around(
                ServerInterceptors.intercept(manager.getHealthService(), this), LIMITS, StatusMapping::toStatus);
    }

    /** Tells those who watch, and the log. */
    public synchronized void refresh() {
        Optional<String> now = ask(problem);
        if (now.isPresent() == well) {
            well = now.isEmpty();
            LOG.warn("the master is {}", now.map(why -> "not healthy: " + why).orElse("healthy again"));
        }
        manager.setStatus(
                HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
                well ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
        manager.setStatus(LIVE, ask(needsRestart).isEmpty() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    }

    /** A master that cannot even say how it is is not well. */
    private static Optional<String> ask(Supplier<Optional<String>> what) {
        try {
            return what.get();
        } catch (RuntimeException | Error e) {
            return Optional.of("health could not be asked: " + e);
        }
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        refresh();
        return next.startCall(call, headers);
    }
}
