// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

/** The lanes' preferred operation shortly before an event: the moments in which a fault matters are short. */
enum PreferredOperation {
    /** Any operation that a lane draws. */
    ANY,
    /** Creates of files that are deleted right after their close. */
    PASSING,
    /** Overwrites of existing files. */
    OVERWRITING
}
