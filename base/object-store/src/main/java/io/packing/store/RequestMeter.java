// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.options.PriceTable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** A meter that counts requests, bytes and throttles, and prices them; thread-safe. */
public final class RequestMeter implements RequestListener {
    private record Cell(RequestKind kind, RequestOutcome outcome) {}

    private final Map<Cell, LongAdder> counts = new ConcurrentHashMap<>();
    private final LongAdder bytesOut = new LongAdder();
    private final LongAdder bytesIn = new LongAdder();

    @Override
    public void request(RequestKind kind, long bytes, RequestOutcome outcome) {
        counts.computeIfAbsent(new Cell(kind, outcome), cell -> new LongAdder()).increment();
        (kind == RequestKind.PUT ? bytesOut : bytesIn).add(bytes);
    }

    /**
     * The counts so far.
     *
     * @param put answered writes, every part of a multipart upload included
     * @param throttled refused attempts of any kind
     * @param failed attempts of any kind that failed otherwise
     * @param bytesPut body bytes of answered writes
     * @param bytesGot body bytes of answered reads
     */
    public record Snapshot(
            long put,
            long get,
            long list,
            long head,
            long delete,
            long throttled,
            long failed,
            long bytesPut,
            long bytesGot) {

        /** Returns the PUT-class requests, which S3 prices as writes. */
        public long putClass() {
            return put + list;
        }

        /**
         * Returns the cost of the answered requests; refused and failed attempts are not billed, and deletes are free.
         */
        public double dollars(PriceTable prices) {
            return prices.requests(put, list, get, head);
        }

        /** Returns the difference to an earlier snapshot. */
        public Snapshot since(Snapshot earlier) {
            return new Snapshot(
                    put - earlier.put,
                    get - earlier.get,
                    list - earlier.list,
                    head - earlier.head,
                    delete - earlier.delete,
                    throttled - earlier.throttled,
                    failed - earlier.failed,
                    bytesPut - earlier.bytesPut,
                    bytesGot - earlier.bytesGot);
        }
    }

    /** Returns the present counts, with or without requests that end meanwhile. */
    public Snapshot snapshot() {
        return new Snapshot(
                count(RequestKind.PUT, RequestOutcome.OK),
                count(RequestKind.GET, RequestOutcome.OK),
                count(RequestKind.LIST, RequestOutcome.OK),
                count(RequestKind.HEAD, RequestOutcome.OK),
                count(RequestKind.DELETE, RequestOutcome.OK),
                countAll(RequestOutcome.THROTTLED),
                countAll(RequestOutcome.FAILED),
                bytesOut.sum(),
                bytesIn.sum());
    }

    /** Returns the number of attempts of a kind with this outcome. */
    public long count(RequestKind kind, RequestOutcome outcome) {
        LongAdder count = counts.get(new Cell(kind, outcome));
        return count == null ? 0 : count.sum();
    }

    private long countAll(RequestOutcome outcome) {
        long sum = 0;
        for (RequestKind kind : RequestKind.values()) {
            sum += count(kind, outcome);
        }
        return sum;
    }
}
