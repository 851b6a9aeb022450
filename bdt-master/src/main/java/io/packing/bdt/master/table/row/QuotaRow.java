// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.bdt.Outcome;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaExceededException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The quota of a directory, and what counts for it.
 *
 * @param mostNames empty: no limit
 * @param mostBytes empty: no limit
 */
public record QuotaRow(OptionalLong mostNames, OptionalLong mostBytes, QuotaUse use) {
    private static final int VERSION = 1;

    public static Optional<QuotaRow> of(Rows rows, long directory) throws IOException {
        return rows.get(Keys.numbered(Keys.QUOTA, directory)).map(QuotaRow::decode);
    }

    public QuotaRow with(QuotaUse other) {
        return new QuotaRow(mostNames, mostBytes, other);
    }

    public byte[] encode() {
        Bytes.Out out = new Bytes.Out().byte1(VERSION);
        encode(out, mostNames, mostBytes);
        return out.signed(use.names()).signed(use.bytes()).toBytes();
    }

    public static QuotaRow decode(byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        int version = in.byte1();
        if (version != VERSION) {
            throw new Bytes.MalformedException("quota of version " + version);
        }
        return new QuotaRow(limit(in), limit(in), new QuotaUse(in.signed(), in.signed()));
    }

    public static void encode(Bytes.Out out, OptionalLong mostNames, OptionalLong mostBytes) {
        out.signed(mostNames.orElse(-1)).signed(mostBytes.orElse(-1));
    }

    static OptionalLong limit(Bytes.In in) {
        long limit = in.signed();
        if (limit < -1) {
            throw new Bytes.MalformedException("a limit of " + limit);
        }
        return limit == -1 ? OptionalLong.empty() : OptionalLong.of(limit);
    }

    public Quota told() {
        return new Quota(mostNames, mostBytes, use.names(), use.bytes());
    }

    /** Returns the limit that is exceeded, and more than before; empty: none is. */
    public Optional<Outcome> exceeded(QuotaUse before) {
        if (use.names() > before.names() && use.names() > mostNames.orElse(Long.MAX_VALUE)) {
            return Optional.of(Outcome.NAMES_QUOTA);
        }
        return use.bytes() > before.bytes() && use.bytes() > mostBytes.orElse(Long.MAX_VALUE)
                ? Optional.of(Outcome.BYTES_QUOTA)
                : Optional.empty();
    }

    /** Returns the refusal in HDFS's words. */
    public QuotaExceededException refusal(Outcome reason, String directory) {
        return new QuotaExceededException(
                reason,
                reason == Outcome.NAMES_QUOTA
                        ? "The NameSpace quota (directories and files) of directory %s is exceeded: quota=%d file count=%d"
                                .formatted(directory, mostNames.orElse(Long.MAX_VALUE), use.names())
                        : "The DiskSpace quota of %s is exceeded: quota = %d B but diskspace consumed = %d B"
                                .formatted(directory, mostBytes.orElse(Long.MAX_VALUE), use.bytes()));
    }
}
