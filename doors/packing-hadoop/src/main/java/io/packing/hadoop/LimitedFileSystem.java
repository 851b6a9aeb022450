// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.Outcome;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;

/** A Hadoop file system's quotas. Space is the length of files, once: users do not pay for replicas. */
abstract class LimitedFileSystem extends AttributedFileSystem {
    /** As in HDFS: the limit stays. */
    private static final long AS_BEFORE = Long.MAX_VALUE;

    /** As in HDFS: the value for no limit, in requests and in answers. */
    private static final long NO_LIMIT = -1;

    /** Sets a quota, which only superusers may. */
    @Override
    public void setQuota(Path path, long names, long bytes) throws IOException {
        QuotaChange change = new QuotaChange(limit(names), limit(bytes));
        Outcome outcome = Refusals.named(path, () -> bdt().setQuota(path(path), change));
        if (outcome != Outcome.DONE) {
            throw Refusals.of(path, outcome, "given a quota");
        }
    }

    private static OptionalLong limit(long limit) {
        return limit == AS_BEFORE ? OptionalLong.empty() : OptionalLong.of(limit);
    }

    /** Returns the usage of a directory: by one request when it has a quota; else all below it is listed. */
    @Override
    public QuotaUsage getQuotaUsage(Path path) throws IOException {
        Optional<Quota> quota = bdt().quota(path(path));
        if (quota.isEmpty()) {
            return super.getQuotaUsage(path);
        }
        return new QuotaUsage.Builder()
                .fileAndDirectoryCount(quota.get().names())
                .quota(quota.get().mostNames().orElse(NO_LIMIT))
                .spaceConsumed(quota.get().bytes())
                .spaceQuota(quota.get().mostBytes().orElse(NO_LIMIT))
                .build();
    }

    /** Lists all below a directory. */
    @Override
    public ContentSummary getContentSummary(Path path) throws IOException {
        ContentSummary counted = super.getContentSummary(path);
        Optional<Quota> quota = bdt().quota(path(path));
        return new ContentSummary.Builder()
                .length(counted.getLength())
                .fileCount(counted.getFileCount())
                .directoryCount(counted.getDirectoryCount())
                .spaceConsumed(counted.getLength())
                .quota(quota.map(Quota::mostNames).orElse(OptionalLong.empty()).orElse(NO_LIMIT))
                .spaceQuota(
                        quota.map(Quota::mostBytes).orElse(OptionalLong.empty()).orElse(NO_LIMIT))
                .build();
    }
}
