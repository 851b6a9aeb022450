// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report on the store that a process would use. A fact that the examination could not find out is null, and a finding says why.
 *
 * @param credentials null for a directory
 * @param region for which requests are signed; null for a directory
 * @param regionFrom the setting that says the region
 * @param conditionalPut whether the store refuses a PUT if the object is there and the PUT asks for that
 * @param clockSkewMs by how much the store's clock is ahead of this machine's, to a second
 * @param findings empty: all is well
 */
public record StoreExamination(
        @Nullable UsedCredentials credentials,
        String store,
        @Nullable String endpoint,
        @Nullable String region,
        @Nullable String regionFrom,
        @Nullable Boolean conditionalPut,
        @Nullable Long clockSkewMs,
        List<Finding> findings) {
    public StoreExamination {
        findings = List.copyOf(findings);
    }

    /**
     * The source of credentials that the process uses, and whose they are.
     *
     * @param source its kind, in small letters, such as {@code web_identity}
     * @param askedBy the settings that ask for it
     * @param identity the ARN that the token service tells, or else the access key; null if the source gives none
     */
    public record UsedCredentials(
            String source,
            String name,
            String askedBy,
            @Nullable String identity) {}

    /**
     * Something that an operator should know.
     *
     * @param problem whether the process cannot use the store as it should
     */
    public record Finding(boolean problem, String text) {}

    /** Returns whether a finding is a problem. */
    public boolean hasProblem() {
        return findings.stream().anyMatch(Finding::problem);
    }
}
