/** The documentation as tests: what its blocks say of themselves, whether its commands work, and where its links lead. */
@NullMarked
package io.packing.it.docs;

import org.jspecify.annotations.NullMarked;
