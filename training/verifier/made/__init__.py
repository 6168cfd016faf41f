"""Made training rows for the claim-support model: true sentences, faithful rewordings and single-fact corruptions."""
