// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import java.util.Optional;

/**
 * The condition of a write.
 *
 * @param isAbsent true if the key must have no object
 * @param etag that the key's object must have, without quotes; {@code *} is any; empty: no condition
 */
public record WriteCondition(boolean isAbsent, Optional<String> etag) {
    public static final WriteCondition NONE = new WriteCondition(false, Optional.empty());
}
