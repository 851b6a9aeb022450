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

/** The standard gRPC health service of a master, which asks anew at every check. Thread-safe. */
public final class MasterHealth implements ServerInterceptor {
    private static final Logger LOG = LoggerFactory.getLogger(MasterHealth.class);
    /** A refusal of an unknown service repeats its name, in the headers of an answer. */
    private static final MessageLimits LIMITS = new MessageLimits(Map.of(), 256, Map.of(), 1);

    private final HealthStatusManager manager = new HealthStatusManager();
    private final Supplier<Optional<String>> problem;
    private boolean well = true;

    /** @param problem why the master does not do its work, if it does not */
    public MasterHealth(Supplier<Optional<String>> problem) {
        this.problem = problem;
    }

    public ServerServiceDefinition service() {
        return CheckedMessages.around(
                ServerInterceptors.intercept(manager.getHealthService(), this), LIMITS, StatusMapping::toStatus);
    }

    /** Tells those who watch, and the log. */
    public synchronized void refresh() {
        Optional<String> now = ask();
        if (now.isPresent() == well) {
            well = now.isEmpty();
            LOG.warn("the master is {}", now.map(why -> "not healthy: " + why).orElse("healthy again"));
        }
        manager.setStatus(
                HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
                well ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    }

    /** A master that cannot even say how it is is not well. */
    private Optional<String> ask() {
        try {
            return problem.get();
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
