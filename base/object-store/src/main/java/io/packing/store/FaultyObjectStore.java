// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.buffers.Slices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A store that fails operations of another one: at random from a seed, or exactly as a test says. Failures are {@link
 * StoreUnavailableException}.
 */
public final class FaultyObjectStore extends DecoratedObjectStore {
    /**
     * The rates of random failures, each from 0 to 1.
     *
     * @param before of failures without effect
     * @param after of failures after the effect
     * @param shortRead of reads with too few bytes
     */
    public record Rates(double before, double after, double shortRead) {
        /** The rates for scripted faults only. */
        public static final Rates NONE = new Rates(0, 0, 0);

        public Rates {
            if (before < 0 || after < 0 || shortRead < 0 || before + after + shortRead > 1) {
                throw new IllegalArgumentException("bad fault rates %f, %f, %f".formatted(before, after, shortRead));
            }
        }
    }

    /** A gate that holds one operation until a test lets it go on. */
    public static final class Gate implements AutoCloseable {
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        private Gate() {}

        /** Returns when an operation stands at the gate, before it takes effect. */
        public void awaitArrival() throws InterruptedException {
            arrived.await();
        }

        /** Lets the operation go on. */
        @Override
        public void close() {
            open.countDown();
        }

        private void pass(RequestKind kind) throws IOException {
            arrived.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw Attempts.interrupted(kind + " at a gate", e);
            }
        }
    }

    private final RandomGenerator random;
    private final Rates rates;
    private final Map<RequestKind, Deque<Fault>> script = new EnumMap<>(RequestKind.class);
    private final Map<RequestKind, Deque<Gate>> gates = new EnumMap<>(RequestKind.class);

    /** Creates random faults; equal seeds and orders of operations give equal faults. */
    public FaultyObjectStore(ObjectStore store, RandomGenerator random, Rates rates) {
        super(store);
        this.random = random;
        this.rates = rates;
    }

    /** Gives the next operations of this kind without a fault yet this one, so many times. */
    public synchronized void failNext(RequestKind kind, Fault fault, int times) {
        for (int i = 0; i < times; i++) {
            script.computeIfAbsent(kind, any -> new ArrayDeque<>()).add(fault);
        }
    }

    /** Drops the scripted faults. */
    public synchronized void failNoMore() {
        script.clear();
    }

    /** Holds the next operation of this kind, before its effect, until the test closes the gate. */
    public synchronized Gate holdNext(RequestKind kind) {
        Gate gate = new Gate();
        gates.computeIfAbsent(kind, any -> new ArrayDeque<>()).add(gate);
        return gate;
    }

    /** {@inheritDoc} It reads one answer, so that a fault can shorten and flip it. */
    @Override
    public int get(String key, long offset, List<ByteBuffer> into) throws IOException {
        return RangeChecks.scatter(get(key, offset, RangeChecks.room(into)), into);
    }

    @Override
    public void put(String key, StreamedBody body, PutCondition condition) throws IOException {
        if (takesMiddle()) {
            Gate gate = nextGate(RequestKind.PUT);
            if (gate != null) {
                gate.pass(RequestKind.PUT);
            }
            long before = within(body.length());
            body.bytes().skipNBytes(before);
            throw new StoreUnavailableException("injected fault after %,d bytes of a stream".formatted(before));
        }
        super.put(key, body, condition);
    }

    /** Takes the next scripted fault of a put if it is one in the middle. */
    private synchronized boolean takesMiddle() {
        Deque<Fault> scripted = script.get(RequestKind.PUT);
        if (scripted == null || scripted.peek() != Fault.MIDDLE) {
            return false;
        }
        scripted.remove();
        return true;
    }

    private synchronized long within(long length) {
        return random.nextLong(length);
    }

    @Override
    <T> T around(RequestKind kind, Call<T> call, Moved<T> moved) throws IOException {
        Gate gate = nextGate(kind);
        if (gate != null) {
            gate.pass(kind);
        }
        Fault fault = nextFault(kind);
        if (fault == Fault.BEFORE || fault == Fault.MIDDLE) {
            throw new StoreUnavailableException("injected fault before " + kind);
        }
        T result = call.run();
        if (fault == Fault.AFTER) {
            throw new StoreUnavailableException("injected fault after " + kind);
        }
        if (fault == Fault.FLIPPED_READ) {
            return flipped(result);
        }
        return fault == Fault.SHORT_READ ? shortened(result) : result;
    }

    private synchronized @Nullable Gate nextGate(RequestKind kind) {
        Deque<Gate> waiting = gates.get(kind);
        return waiting == null ? null : waiting.poll();
    }

    private synchronized @Nullable Fault nextFault(RequestKind kind) {
        Deque<Fault> scripted = script.get(kind);
        Fault next = scripted == null ? null : scripted.poll();
        if (next != null) {
            return next;
        }
        double drawn = random.nextDouble();
        if (drawn < rates.before) {
            return Fault.BEFORE;
        }
        if (drawn < rates.before + rates.after) {
            return Fault.AFTER;
        }
        return drawn < rates.before + rates.after + rates.shortRead ? Fault.SHORT_READ : null;
    }

    @SuppressWarnings("unchecked") // A buffer stays a buffer.
    private synchronized <T> T flipped(T result) {
        if (result instanceof ByteBuffer bytes && bytes.hasRemaining()) {
            ByteBuffer copy = ByteBuffer.allocate(bytes.remaining())
                    .put(bytes.duplicate())
                    .flip();
            int at = random.nextInt(copy.limit());
            return (T) copy.put(at, (byte) (copy.get(at) ^ 1 << random.nextInt(8)));
        }
        return result;
    }

    @SuppressWarnings("unchecked") // A buffer stays a buffer.
    private synchronized <T> T shortened(T result) {
        if (result instanceof ByteBuffer bytes && bytes.hasRemaining()) {
            return (T) Slices.of(bytes, bytes.position(), random.nextInt(bytes.remaining()));
        }
        return result;
    }
}
