package io.packing.cli.demo;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * How one side did.
 *
 * @param files written, and durable in the store
 * @param seconds from the first write until the last file was durable
 * @param verified files that were read back through another worker with the bytes that were written
 * @param bytes that were sent to the store
 */
@JsonPropertyOrder({"files", "seconds", "put", "get", "list", "head", "throttled", "dollars", "verified"})
public record Side(
        long files,
        double seconds,
        long put,
        long get,
        long list,
        long head,
        long throttled,
        double dollars,
        long verified,
        @JsonIgnore long bytes) {
    public static Side of(long files, double seconds, Requests requests, Prices prices, long verified) {
        return new Side(
                files,
                seconds,
                requests.put(),
                requests.get(),
                requests.list(),
                requests.head(),
                requests.throttled(),
                prices.dollars(requests),
                verified,
                requests.bytes());
    }

    /** The same with another bill: that of some of the requests. */
    public Side withDollars(double other) {
        return new Side(files, seconds, put, get, list, head, throttled, other, verified, bytes);
    }

    @JsonIgnore
    public double filesPerSecond() {
        return seconds == 0 ? 0 : files / seconds;
    }

    @JsonIgnore
    public boolean isComplete() {
        return verified == files;
    }
}
