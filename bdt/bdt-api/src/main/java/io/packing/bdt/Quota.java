// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.OptionalLong;

/**
 * The limits of names and bytes of a directory with all below it, and its present ones.
 *
 * @param mostNames empty: no limit
 * @param mostBytes empty: no limit
 * @param names of files and directories, the directory itself included
 * @param bytes the lengths of all files
 */
public record Quota(OptionalLong mostNames, OptionalLong mostBytes, long names, long bytes) {}
