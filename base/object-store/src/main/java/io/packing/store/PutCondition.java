// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

/** The condition of a put. */
public enum PutCondition {
    /** The put creates or replaces. */
    NONE,
    /** The put only creates ({@code If-None-Match: *}); otherwise it throws {@link PreconditionFailedException}. */
    IF_ABSENT
}
