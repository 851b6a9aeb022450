// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

/**
 * The class of a file in its application.
 *
 * @param type such as {@code log} or {@code store}
 * @param family the column family (Table 3.2), or a substitute for one
 */
record FileClass(String type, String family) {
    static final FileClass UNCLASSIFIED = new FileClass(Rules.UNCLASSIFIED, Rules.UNCLASSIFIED);
}
