package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class MasterHealthTest {
    @Test
    void gRpcHealthSaysWhatTheMasterKnowsOfItself() throws Exception {
        AtomicReference<Optional<String>> problem = new AtomicReference<>(Optional.empty());
        AtomicBoolean throwing = new AtomicBoolean();
        HealthStatusManager health = new HealthStatusManager();
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(health.getHealthService())
                .build()
                .start();
        MasterHealth.follow(server, health, () -> {
            if (throwing.get()) {
                throw new StackOverflowError("planted");
            }
            return problem.get();
        });
        ManagedChannel channel = NettyChannelBuilder.forTarget("127.0.0.1:" + server.getPort())
                .usePlaintext()
                .build();
        try {
            HealthGrpc.HealthBlockingStub stub = HealthGrpc.newBlockingStub(channel);
            assertThat(status(stub)).isEqualTo(ServingStatus.SERVING);
            problem.set(Optional.of("a thread is dead"));
            await(stub, ServingStatus.NOT_SERVING);
            problem.set(Optional.empty());
            await(stub, ServingStatus.SERVING);
            throwing.set(true);
            await(stub, ServingStatus.NOT_SERVING);
        } finally {
            channel.shutdownNow();
            server.shutdownNow();
        }
    }

    private static ServingStatus status(HealthGrpc.HealthBlockingStub stub) {
        return stub.check(HealthCheckRequest.getDefaultInstance()).getStatus();
    }

    private static void await(HealthGrpc.HealthBlockingStub stub, ServingStatus wanted) {
        while (status(stub) != wanted) {
            Thread.onSpinWait();
        }
    }
}
