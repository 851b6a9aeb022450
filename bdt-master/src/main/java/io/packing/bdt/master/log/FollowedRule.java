// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import io.packing.bdt.master.table.change.BatchRule;
import io.packing.bdt.master.table.change.Mutation;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A rule that a writer follows with each batch. A failure of the rule is logged, and fails no mutation of a client. Confined to the writer thread. */
final class FollowedRule {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedRule.class);

    private final String mount;
    private final BatchRule rule;

    FollowedRule(String mount, BatchRule rule) {
        this.mount = mount;
        this.rule = rule;
    }

    /** A mutation of the rule, and the future that learns of its failure. */
    record Part(Mutation<Boolean> mutation, CompletableFuture<Boolean> failed) {}

    long waitMillis(long most) {
        try {
            return rule.waitMillis(most);
        } catch (IOException | RuntimeException e) {
            LOG.warn("mount {}: it is not known when its rule is due", mount, e);
            return most;
        }
    }

    boolean isDue() {
        try {
            return rule.isDue();
        } catch (IOException | RuntimeException e) {
            LOG.warn("mount {}: it is not known whether its rule is due", mount, e);
            return false;
        }
    }

    /** Returns the part that comes before the mutations of a batch. */
    Part before() {
        return part(rule::before);
    }

    /** Returns the part that comes after them. */
    Part after() {
        return part(rule::after);
    }

    /** Returns whether there is any work with batches. */
    boolean isThere() {
        return rule != BatchRule.NONE;
    }

    private Part part(BatchRule.Step step) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        CompletableFuture<Boolean> unused = done.whenComplete((result, failure) -> {
            if (failure != null) {
                LOG.warn("mount {}: its histories are not kept", mount, failure);
            }
        });
        return new Part(
                transaction -> {
                    step.apply(transaction);
                    return true;
                },
                done);
    }
}
