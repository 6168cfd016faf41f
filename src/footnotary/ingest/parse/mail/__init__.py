"""E-mail: messages in the Internet format (.eml) and of Outlook (.msg)."""
