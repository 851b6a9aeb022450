// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import io.packing.bdt.Outcome;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The quotas of volumes, which hold what their records say. */
public final class VolumeLimits {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeLimits.class);

    private final CsiTree tree;
    private final Executor beside;

    /** @param beside counts the files of clones, which takes a second for two million */
    public VolumeLimits(CsiTree tree, Executor beside) {
        this.tree = tree;
        this.beside = beside;
    }

    /** Sets the quota of a volume, unless it is set. */
    public void ensure(CsiVolume volume) throws IOException {
        FilePath data = tree.data(CsiTree.Kind.VOLUME, volume.id().key());
        OptionalLong bytes = bytes(volume);
        OptionalLong names = volume.record().parameters().names();
        Optional<Quota> present = tree.bdt().quota(data);
        boolean isSet = present.map(Quota::mostBytes)
                        .orElse(OptionalLong.empty())
                        .equals(bytes)
                && present.map(Quota::mostNames).orElse(OptionalLong.empty()).equals(names);
        if (isSet) {
            return;
        }
        Outcome outcome = tree.bdt().setQuota(data, new QuotaChange(limit(names), limit(bytes)));
        if (outcome == Outcome.NOT_FOUND) {
            throw CsiTree.missing(CsiTree.Kind.VOLUME, volume.id());
        }
        if (outcome != Outcome.DONE) {
            throw new IOException("%s: the quota was not set: %s".formatted(data, outcome));
        }
    }

    /** Sets the quota of a clone soon: the caller does not wait until its files are counted. A node that stages the volume sets it, too. */
    void ensureSoon(CsiVolume volume) {
        beside.execute(() -> {
            try {
                ensure(volume);
            } catch (IOException | RuntimeException e) {
                LOG.warn("the quota of volume {} is set when it is staged: {}", volume.id(), e.getMessage());
            }
        });
    }

    /** Returns the limits of a volume and its present names and bytes; empty: it has no limit. */
    public Optional<Quota> use(CsiVolume volume) throws IOException {
        return tree.bdt().quota(tree.data(CsiTree.Kind.VOLUME, volume.id().key()));
    }

    private static OptionalLong bytes(CsiVolume volume) {
        long capacity = volume.record().capacity();
        return capacity == 0 ? OptionalLong.empty() : OptionalLong.of(capacity);
    }

    private static OptionalLong limit(OptionalLong most) {
        return OptionalLong.of(most.orElse(QuotaChange.NO_LIMIT));
    }
}
