// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * A service that checks messages before it parses them. It refuses a too large or malformed message with {@code
 * INVALID_ARGUMENT}, and ends a call in order when its handler throws. Otherwise gRPC would close the stream below the
 * call, and the next answer would end the whole connection.
 */
public final class CheckedMessages {
    /** Below this size no repeated field can be too long. */
    private static final int COUNTED_FROM_BYTES = 128 << 10;

    private final MessageLimits limits;
    private final Function<Throwable, StatusRuntimeException> failures;

    private CheckedMessages(MessageLimits limits, Function<Throwable, StatusRuntimeException> failures) {
        this.limits = limits;
        this.failures = failures;
    }

    /** An arrived message, or the reason why it was refused. */
    private interface Arrived<Q> {
        record Message<Q>(Q message, int bytes) implements Arrived<Q> {}

        record Refused<Q>(Status why) implements Arrived<Q> {}
    }

    /**
     * Returns the service with checks.
     *
     * @param failures makes the caller's error from a handler's exception
     */
    public static ServerServiceDefinition around(
            ServerServiceDefinition service,
            MessageLimits limits,
            Function<Throwable, StatusRuntimeException> failures) {
        CheckedMessages checked = new CheckedMessages(limits, failures);
        ServiceDescriptor known = service.getServiceDescriptor();
        ServiceDescriptor.Builder descriptor =
                ServiceDescriptor.newBuilder(known.getName()).setSchemaDescriptor(known.getSchemaDescriptor());
        List<? extends ServerMethodDefinition<? extends Arrived<?>, ?>> methods =
                service.getMethods().stream().map(checked::around).toList();
        methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
        ServerServiceDefinition.Builder all = ServerServiceDefinition.builder(descriptor.build());
        methods.forEach(all::addMethod);
        return all.build();
    }

    private <Q, A> ServerMethodDefinition<Arrived<Q>, A> around(ServerMethodDefinition<Q, A> method) {
        MethodDescriptor<Q, A> known = method.getMethodDescriptor();
        MethodDescriptor<Arrived<Q>, A> checked = known.toBuilder(
                        new CheckingMarshaller<>(known), known.getResponseMarshaller())
                .build();
        ServerCallHandler<Q, A> handler = method.getServerCallHandler();
        return ServerMethodDefinition.create(checked, (call, headers) -> {
            CheckedCall<Q, A> inner = new CheckedCall<>(call, known, failures);
            return inner.start(handler, headers);
        });
    }

    /** A parser of messages from bytes in memory. */
    private interface Parsing<Q> {
        Q apply(byte[] bytes) throws IOException;

        @SuppressWarnings("unchecked") // A prototype's parser makes messages of its own type.
        static <Q> Parsing<Q> of(MethodDescriptor<Q, ?> method) {
            MethodDescriptor.PrototypeMarshaller<Q> marshaller =
                    (MethodDescriptor.PrototypeMarshaller<Q>) method.getRequestMarshaller();
            MessageLite prototype = (MessageLite) Objects.requireNonNull(marshaller.getMessagePrototype());
            Parser<Q> parser = (Parser<Q>) prototype.getParserForType();
            return parser::parseFrom;
        }
    }

    private final class CheckingMarshaller<Q> implements MethodDescriptor.Marshaller<Arrived<Q>> {
        private final MethodDescriptor<Q, ?> method;
        private final Descriptor type;
        private final int most;
        private final Parsing<Q> parser;

        CheckingMarshaller(MethodDescriptor<Q, ?> method) {
            this.method = method;
            this.type = ((ProtoMethodDescriptorSupplier) Objects.requireNonNull(method.getSchemaDescriptor()))
                    .getMethodDescriptor()
                    .getInputType();
            this.most = limits.bytesOf(String.valueOf(method.getBareMethodName()));
            this.parser = Parsing.of(method);
        }

        @Override
        public InputStream stream(Arrived<Q> value) {
            throw new UnsupportedOperationException("servers receive requests only");
        }

        @Override
        public Arrived<Q> parse(InputStream stream) {
            try {
                // gRPC has the whole message, so this is its length.
                int bytes = stream.available();
                if (bytes > most) {
                    return refused("%s takes messages of at most %d bytes, not of %d: send several"
                            .formatted(method.getBareMethodName(), most, bytes));
                }
                if (bytes < COUNTED_FROM_BYTES) {
                    return new Arrived.Message<>(method.parseRequest(stream), bytes);
                }
                // All at once: from a stream, the parser would copy the message in pieces, twice.
                byte[] all = new byte[bytes];
                if (stream.readNBytes(all, 0, bytes) < bytes) {
                    return refused("not a %s: it ends too soon".formatted(type.getFullName()));
                }
                limits.check(type, CodedInputStream.newInstance(all));
                return new Arrived.Message<>(parser.apply(all), bytes);
            } catch (StatusRuntimeException e) {
                return refused("not a %s: %s"
                        .formatted(type.getFullName(), e.getStatus().getCause()));
            } catch (IOException e) {
                return refused("not a %s: %s".formatted(type.getFullName(), e.getMessage()));
            } catch (IllegalArgumentException e) {
                return refused(String.valueOf(e.getMessage()));
            }
        }

        private Arrived<Q> refused(String why) {
            return new Arrived.Refused<>(Status.INVALID_ARGUMENT.withDescription(why));
        }
    }

    /** A call that ends once, although its client, its handler and a check may each end it. */
    private static final class CheckedCall<Q, A> extends ServerCall<Q, A> {
        private final ServerCall<Arrived<Q>, A> call;
        private final MethodDescriptor<Q, A> method;
        private final Function<Throwable, StatusRuntimeException> failures;
        private final UnansweredBytes unanswered;
        private boolean ended;

        CheckedCall(
                ServerCall<Arrived<Q>, A> call,
                MethodDescriptor<Q, A> method,
                Function<Throwable, StatusRuntimeException> failures) {
            this.call = call;
            this.method = method;
            this.failures = failures;
            this.unanswered = new UnansweredBytes(method.getType(), BytesInFlight.current());
        }

        ServerCall.Listener<Arrived<Q>> start(ServerCallHandler<Q, A> handler, Metadata headers) {
            unanswered.whenTooMany(status -> close(status, new Metadata()));
            return new CheckedListener<>(this, handler.startCall(this, headers), unanswered);
        }

        /** Ends the call with the handler's failure; rethrows an error that concerns more than this call. */
        void fail(Throwable failure) {
            close(failures.apply(failure).getStatus(), new Metadata());
            boolean itsOwn = failure instanceof Exception || failure instanceof StackOverflowError;
            if (!itsOwn) {
                throw (Error) failure;
            }
        }

        synchronized boolean isEnded() {
            return ended;
        }

        @Override
        public void request(int messages) {
            call.request(messages);
        }

        @Override
        public synchronized void sendHeaders(Metadata headers) {
            if (!ended) {
                call.sendHeaders(headers);
            }
        }

        @Override
        public synchronized void sendMessage(A message) {
            if (ended) {
                return;
            }
            // If sending the answer fails, for example for lack of memory, the call has ended with it.
            ended = true;
            call.sendMessage(message);
            ended = false;
            unanswered.answered();
        }

        @Override
        public synchronized void close(Status status, Metadata trailers) {
            if (!ended) {
                ended = true;
                call.close(status, trailers);
            }
        }

        @Override
        public boolean isReady() {
            return call.isReady();
        }

        @Override
        public boolean isCancelled() {
            return call.isCancelled();
        }

        @Override
        public Attributes getAttributes() {
            return call.getAttributes();
        }

        @Override
        public MethodDescriptor<Q, A> getMethodDescriptor() {
            return method;
        }
    }

    private static final class CheckedListener<Q> extends ServerCall.Listener<Arrived<Q>> {
        private final CheckedCall<Q, ?> call;
        private final ServerCall.Listener<Q> handler;
        private final UnansweredBytes unanswered;

        CheckedListener(CheckedCall<Q, ?> call, ServerCall.Listener<Q> handler, UnansweredBytes unanswered) {
            this.call = call;
            this.handler = handler;
            this.unanswered = unanswered;
        }

        @Override
        public void onMessage(Arrived<Q> arrived) {
            if (call.isEnded()) {
                return;
            }
            if (arrived instanceof Arrived.Refused<Q> refused) {
                call.close(refused.why(), new Metadata());
            } else if (arrived instanceof Arrived.Message<Q> message) {
                unanswered.arrived(message.bytes());
                attempt(() -> handler.onMessage(message.message()));
                unanswered.taken();
            }
        }

        @Override
        public void onHalfClose() {
            if (!call.isEnded()) {
                unanswered.complete();
                attempt(handler::onHalfClose);
                unanswered.completed();
            }
        }

        @Override
        public void onCancel() {
            attempt(handler::onCancel);
        }

        @Override
        public void onComplete() {
            attempt(handler::onComplete);
        }

        @Override
        public void onReady() {
            attempt(handler::onReady);
        }

        private void attempt(Runnable event) {
            try {
                event.run();
            } catch (RuntimeException | Error e) {
                call.fail(e);
            }
        }
    }
}
