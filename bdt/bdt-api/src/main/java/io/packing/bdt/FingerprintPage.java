// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import com.google.common.primitives.ImmutableIntArray;

/**
 * A part of a master's list of fingerprints.
 *
 * @param list the list's number; another number than before is another list, and the page its first one
 * @param next the place in the list behind this page
 * @param complete true if the list has a fingerprint of each content that claims may share
 * @param more true if the list has more behind this page
 */
public record FingerprintPage(long list, long next, boolean complete, boolean more, ImmutableIntArray fingerprints) {
    public FingerprintPage {
        if (list == 0 || next < fingerprints.length()) {
            throw new IllegalArgumentException(
                    "a page of %d fingerprints of list %d ends at %d".formatted(fingerprints.length(), list, next));
        }
    }
}
