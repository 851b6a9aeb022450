// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import com.google.common.hash.HashCode;
import java.util.Optional;

/**
 * The bytes of a new file, which the mount may have already.
 *
 * @param sha256 of the bytes
 * @param user of the file, who must have the right to read the shared bytes; empty: the worker itself
 */
public record WantedContent(HashCode sha256, Optional<BdtUser> user) {}
