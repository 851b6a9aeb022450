package io.packing.bdt.master;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How many requests came, by method of the protocol; of a stream each message is one. Thread-safe. */
final class RequestCounts implements ServerInterceptor {
    private final Map<String, LongAdder> received = new ConcurrentHashMap<>();

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String method = String.valueOf(call.getMethodDescriptor().getBareMethodName());
        LongAdder count = received.computeIfAbsent(method, name -> new LongAdder());
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            @Override
            public void onMessage(Q message) {
                count.increment();
                super.onMessage(message);
            }
        };
    }

    /** The counts so far, in the order of the methods' names. */
    SortedMap<String, Long> received() {
        SortedMap<String, Long> counts = new TreeMap<>();
        received.forEach((method, count) -> counts.put(method, count.sum()));
        return counts;
    }
}
